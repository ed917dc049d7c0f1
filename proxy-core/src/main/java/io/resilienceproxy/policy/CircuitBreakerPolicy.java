package io.resilienceproxy.policy;

import java.time.Duration;

/**
 * When to stop calling, under Resilience4j's names.
 *
 * @param slidingWindowSize calls, or seconds when time-based
 * @param failureRateThreshold percent
 * @param slowCallDurationThreshold measured to the response head
 * @param slowCallRateThreshold percent
 * @param failureStatuses beside every transport failure and timeout, which always count
 */
public record CircuitBreakerPolicy(
        WindowType slidingWindowType,
        int slidingWindowSize,
        int minimumNumberOfCalls,
        int failureRateThreshold,
        Duration slowCallDurationThreshold,
        int slowCallRateThreshold,
        Duration waitDurationInOpenState,
        int permittedNumberOfCallsInHalfOpenState,
        StatusSet failureStatuses) {

    public enum WindowType {
        COUNT_BASED,
        TIME_BASED
    }

    /** The defaults of the format; a slow call takes half of the read timeout (rule CB-5). */
    public static CircuitBreakerPolicy defaults(Duration readTimeout) {
        return new CircuitBreakerPolicy(
                WindowType.COUNT_BASED,
                50,
                10,
                50,
                readTimeout.dividedBy(2),
                50,
                Duration.ofSeconds(30),
                3,
                StatusSet.SERVER_ERRORS);
    }
}
