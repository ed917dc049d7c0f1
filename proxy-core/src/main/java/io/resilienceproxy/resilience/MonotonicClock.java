package io.resilienceproxy.resilience;

import io.resilienceproxy.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * The monotonic clock in the form that Resilience4j reads the end of its open state from, so that a step of the wall
 * clock neither opens nor holds a breaker.
 */
final class MonotonicClock extends java.time.Clock {

    private final Clock clock;
    private final long originNanos;
    private final Instant origin;

    MonotonicClock(Clock clock) {
        this.clock = clock;
        this.originNanos = clock.nanoTime();
        this.origin = clock.now();
    }

    @Override
    public Instant instant() {
        return origin.plusNanos(clock.nanoTime() - originNanos);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public java.time.Clock withZone(ZoneId zone) {
        return this;
    }
}
