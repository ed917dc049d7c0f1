package io.resilienceproxy.health;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How a probe ended.
 *
 * @param status of the answer, 0 where there was none
 * @param failure why there was none, as a word; null where there was one
 * @param finishedNanos when, in the clock's nanoseconds
 * @param durationNanos from its start
 */
public record ProbeResult(int status, @Nullable String failure, long finishedNanos, long durationNanos) {

    /** Anything but a 2xx is not well: a health page that is redirected or not found says nothing good. */
    public boolean isUp() {
        return failure == null && status >= 200 && status < 300;
    }

    long ageMillis(long now) {
        return TimeUnit.NANOSECONDS.toMillis(Math.max(0, now - finishedNanos));
    }

    long durationMillis() {
        return TimeUnit.NANOSECONDS.toMillis(durationNanos);
    }
}
