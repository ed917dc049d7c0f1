package io.resilienceproxy.metrics;

import io.resilienceproxy.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Stands still until it is moved. Used by one thread. */
final class MovedClock implements Clock {

    private long nanos = 1_000_000_000L;

    void advance(Duration by) {
        nanos += by.toNanos();
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public Instant now() {
        return Instant.ofEpochSecond(1_700_000_000L).plusNanos(nanos);
    }
}
