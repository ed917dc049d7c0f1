package io.resilienceproxy.policy;

import java.time.Duration;

/**
 * How many attempts may run at once, and how many may wait for how long.
 *
 * @param maxConcurrentCalls permits
 * @param maxWaitDuration how long an attempt may wait for a permit; never beyond its deadline
 * @param maxWaiting how many may wait; 0 refuses at once
 */
public record BulkheadPolicy(int maxConcurrentCalls, Duration maxWaitDuration, int maxWaiting) {

    public static final Duration DEFAULT_MAX_WAIT = Duration.ofMillis(100);

    /** Four fifths of the pool, at least one: the bulkhead refuses before the pool is dry (rule BH-3). */
    public static int defaultConcurrentCalls(int maxConnections) {
        return Math.max(1, maxConnections * 4 / 5);
    }
}
