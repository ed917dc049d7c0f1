package io.resilienceproxy.policy;

import java.util.Set;

/**
 * How requests of one route are treated, with everything inherited filled in.
 *
 * @param name metric tag; unique within its upstream
 * @param match which requests belong to it
 * @param mode whether refusals take effect
 * @param timeouts every duration an exchange may spend
 * @param deadline how the caller's deadline is read and passed on
 * @param stream true: {@link Timeouts#call()} ends at the response head
 * @param priority of its requests, unless they name one themselves
 * @param bulkhead concurrency limit and queue
 * @param circuitBreaker when to stop calling
 * @param retry when to call again
 * @param fallback what is given when there is no real answer
 * @param own what this route has for itself; what is absent here it shares with its upstream. Empty for the default route
 */
public record RoutePolicy(
        String name,
        RouteMatch match,
        Mode mode,
        Timeouts timeouts,
        DeadlinePolicy deadline,
        boolean stream,
        Priority priority,
        BulkheadPolicy bulkhead,
        CircuitBreakerPolicy circuitBreaker,
        RetryPolicy retry,
        FallbackPolicy fallback,
        Set<Protection> own) {

    public static final String DEFAULT_NAME = "default";

    public RoutePolicy {
        own = Set.copyOf(own);
    }

    /** What a route may have for itself instead of sharing its upstream's. */
    public enum Protection {
        BULKHEAD,
        CIRCUIT_BREAKER,
        RETRY_BUDGET
    }
}
