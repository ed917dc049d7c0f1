package io.resilienceproxy.time;

import java.time.Instant;

/**
 * Where time comes from. Intervals and deadlines are monotonic, so that a step of the wall clock never ends or stretches
 * one; only dates on the wire and in logs are wall time.
 *
 * <p>Thread-safe. The only class that may read the system's clocks.
 */
public interface Clock {

    /** Monotonic nanoseconds from an arbitrary origin: compare by difference only. */
    long nanoTime();

    /** Wall time, for HTTP-dates and log lines. */
    Instant now();

    Clock SYSTEM = new Clock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public Instant now() {
            return Instant.now();
        }
    };
}
