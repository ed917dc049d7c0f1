package io.resilienceproxy.eventlog;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Many events of one kind as few log lines. The first event of a burst is reported at once, what follows is counted and
 * reported together when the burst is over, or every ten seconds while it lasts. The counts of all reports add up to the
 * number of events.
 *
 * <p>Thread-safe and lock-free. Sets no timer: somebody calls {@link #flush} about once a second.
 */
final class Burst {

    /** A burst is over when this long nothing happened. */
    static final Duration QUIET = Duration.ofSeconds(1);

    /** A burst that does not end is reported this often. */
    static final Duration LONGEST_FOLD = Duration.ofSeconds(10);

    private final IntConsumer report;
    private final AtomicBoolean running = new AtomicBoolean();
    private final AtomicInteger pending = new AtomicInteger();
    private volatile long lastEventNanos;
    private volatile long lastReportNanos;

    /** @param report takes the count, on the thread of the first event or of the flush */
    Burst(IntConsumer report) {
        this.report = report;
    }

    void onEvent(long nowNanos) {
        lastEventNanos = nowNanos;
        if (running.compareAndSet(false, true)) {
            lastReportNanos = nowNanos;
            report.accept(1);
        } else {
            pending.incrementAndGet();
        }
    }

    /** Reports what is due. An event that races with the end of its burst is reported by the next flush. */
    void flush(long nowNanos) {
        boolean over = nowNanos - lastEventNanos >= QUIET.toNanos();
        if (over || nowNanos - lastReportNanos >= LONGEST_FOLD.toNanos()) {
            reportPending(nowNanos);
        }
        if (over) {
            running.set(false);
        }
    }

    void reportPending(long nowNanos) {
        int count = pending.getAndSet(0);
        if (count > 0) {
            lastReportNanos = nowNanos;
            report.accept(count);
        }
    }
}
