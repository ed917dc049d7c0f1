package io.resilienceproxy.exchange;

import io.netty.handler.codec.http.HttpHeaders;
import java.util.concurrent.TimeUnit;

/**
 * The one deadline of an exchange: set once, before its first attempt; everything spends it. On the exchange's event loop,
 * in nanoseconds of the exchange's clock.
 */
final class Deadline {

    /** Half of what fits, so that differences to it do not overflow. */
    private static final long NEVER_NANOS = Long.MAX_VALUE / 2;

    private final long startNanos;
    private final long bufferNanos;
    private long dueNanos;
    private boolean setByCaller;

    private Deadline(long startNanos, RouteBinding binding) {
        this.startNanos = startNanos;
        this.bufferNanos = binding.deadlineBufferNanos;
        this.dueNanos = startNanos + binding.callNanos;
    }

    /** The policy's, or what the caller's field says where that is less. */
    static Deadline of(HttpHeaders fields, RouteBinding binding, long startNanos) {
        Deadline deadline = new Deadline(startNanos, binding);
        long callerMillis = CallerDeadline.read(fields, binding.deadlineField);
        if (callerMillis == CallerDeadline.MALFORMED) {
            binding.listener.onDeadlineMalformed();
        } else if (callerMillis != CallerDeadline.ABSENT) {
            deadline.setByCaller = true;
            deadline.dueNanos = startNanos + Math.min(binding.callNanos, TimeUnit.MILLISECONDS.toNanos(callerMillis));
        }
        return deadline;
    }

    long startNanos() {
        return startNanos;
    }

    /** Negative once it is over. */
    long remainingNanos(long now) {
        return dueNanos - now;
    }

    /** What the upstream is told: the remaining time less what is kept back for the way home. */
    long remainingMillisForUpstream(long now) {
        return TimeUnit.NANOSECONDS.toMillis(dueNanos - now - bufferNanos);
    }

    /** The point in time from which less than that is left. */
    long before(long nanos) {
        return dueNanos - nanos;
    }

    /** That point in time, or the deadline where it comes first. */
    long orEarlier(long nanos) {
        return dueNanos - nanos < 0 ? dueNanos : nanos;
    }

    /** What follows may last for as long as it likes. */
    void lift() {
        dueNanos = startNanos + NEVER_NANOS;
    }

    /** Likewise, unless the caller itself has set it. */
    void liftPolicys() {
        if (!setByCaller) {
            lift();
        }
    }
}
