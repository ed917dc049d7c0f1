package io.resilienceproxy.load;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** What became of a stream's requests. On the event loop. */
final class Tally {

    /** The request was due before the measurement began. */
    static final long UNTIMED = Long.MIN_VALUE;

    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int CLASSES = 6;

    private static final long LONGEST_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final int DIGITS = 3;

    private final Histogram latency = new Histogram(LONGEST_NANOS, DIGITS);
    private final long[] classes = new long[CLASSES];
    private boolean measuring;
    private long completed;
    private long everCompleted;
    private long broken;
    private long unfinished;

    /** From now on it counts; before, only {@code everCompleted} grows. */
    void measure() {
        measuring = true;
    }

    /** @param latencyNanos from the time when the request was due, or {@link #UNTIMED} */
    void onResponse(int status, long latencyNanos) {
        everCompleted++;
        if (measuring && latencyNanos != UNTIMED) {
            completed++;
            classes[Math.min(status / 100, CLASSES - 1)]++;
            record(latencyNanos);
        }
    }

    /** The connection ended before the response did. */
    void onBroken(long latencyNanos) {
        if (measuring) {
            broken++;
            record(latencyNanos);
        }
    }

    /** Due, and not answered when the measurement ended: its wait so far counts, else a stall would hide. */
    void onUnfinished(long latencyNanos) {
        unfinished++;
        record(latencyNanos);
    }

    private void record(long nanos) {
        latency.recordValue(Math.min(Math.max(0, nanos), LONGEST_NANOS));
    }

    /** @param busy share of the measured time in which the core of generator and upstream was not idle */
    String toJson(StreamSpec spec, long elapsedNanos, double busy) {
        return String.format(
                Locale.ROOT,
                "{\"stream\":\"%s\",\"rate\":%.1f,\"seconds\":%.3f,\"completed\":%d,\"everCompleted\":%d,\"perSecond\":%.1f,"
                        + "\"ok\":%d,\"clientErrors\":%d,\"serverErrors\":%d,\"broken\":%d,\"unfinished\":%d,"
                        + "\"loadCoreBusy\":%.3f,"
                        + "\"p50\":%.1f,\"p99\":%.1f,\"p999\":%.1f,\"max\":%.1f}",
                spec.name(),
                spec.perSecond(),
                elapsedNanos / NANOS_PER_SECOND,
                completed,
                everCompleted,
                completed * NANOS_PER_SECOND / elapsedNanos,
                classes[2],
                classes[4],
                classes[5],
                broken,
                unfinished,
                busy,
                micros(latency.getValueAtPercentile(50)),
                micros(latency.getValueAtPercentile(99)),
                micros(latency.getValueAtPercentile(99.9)),
                micros(latency.getMaxValue()));
    }

    private static double micros(long nanos) {
        return nanos / NANOS_PER_MICRO;
    }
}
