package io.resilienceproxy.time;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A clock that stands still until a test moves it.
 *
 * <p>Its monotonic reading starts a second before it overflows, so that code which compares readings instead of their
 * differences fails in a test. Thread-safe.
 */
public final class ManualClock implements Clock {

    private final AtomicLong nanos =
            new AtomicLong(Long.MAX_VALUE - Duration.ofSeconds(1).toNanos());
    private final AtomicReference<Instant> wall = new AtomicReference<>(Instant.parse("2026-01-02T03:04:05Z"));

    @Override
    public long nanoTime() {
        return nanos.get();
    }

    @Override
    public Instant now() {
        return wall.get();
    }

    /** Time passes, on both clocks. */
    public void advance(Duration duration) {
        nanos.addAndGet(duration.toNanos());
        stepWall(duration);
    }

    /** Time passes, on both clocks. */
    public void advanceNanos(long duration) {
        advance(Duration.ofNanos(duration));
    }

    /** Somebody sets the wall clock, forward or back; no time passes. */
    public void stepWall(Duration step) {
        wall.updateAndGet(now -> now.plus(step));
    }
}
