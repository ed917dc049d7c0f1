package io.resilienceproxy.loop;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import io.resilienceproxy.time.Clock;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A timer that costs two field writes when it does not fire. Arming it for later than the task that is already scheduled
 * schedules nothing: the task wakes up, sees that it is early, and goes back to sleep. So a timeout that is set anew
 * with each request or each byte touches the loop's queue once per timeout, not once per request.
 *
 * <p>Owned by one event loop; every method is called there.
 */
public final class LazyTimer {

    private final EventExecutor loop;
    private final Clock clock;
    private final Runnable onDue;
    private final Runnable wake = this::wake;

    private boolean armed;
    private long dueNanos;
    private @Nullable ScheduledFuture<?> scheduled;
    private long scheduledNanos;

    /** @param onDue runs on the loop when the armed time has come; the timer is disarmed by then */
    public LazyTimer(EventExecutor loop, Clock clock, Runnable onDue) {
        this.loop = loop;
        this.clock = clock;
        this.onDue = onDue;
    }

    /** Sets the time, in the clock's nanoseconds; a later call replaces an earlier one. */
    public void arm(long nanos) {
        armed = true;
        dueNanos = nanos;
        if (scheduled != null) {
            if (scheduledNanos - nanos <= 0) {
                return;
            }
            scheduled.cancel(false);
        }
        schedule(nanos);
    }

    public void disarm() {
        armed = false;
    }

    /** For good: also takes the task off the loop. */
    public void close() {
        armed = false;
        if (scheduled != null) {
            scheduled.cancel(false);
            scheduled = null;
        }
    }

    private void schedule(long nanos) {
        scheduledNanos = nanos;
        scheduled = loop.schedule(wake, Math.max(0, nanos - clock.nanoTime()), TimeUnit.NANOSECONDS);
    }

    private void wake() {
        scheduled = null;
        if (!armed) {
            return;
        }
        if (dueNanos - clock.nanoTime() > 0) {
            schedule(dueNanos);
            return;
        }
        armed = false;
        onDue.run();
    }
}
