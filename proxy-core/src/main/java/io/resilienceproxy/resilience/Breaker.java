package io.resilienceproxy.resilience;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowSynchronizationStrategy;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.resilienceproxy.policy.CircuitBreakerPolicy;
import io.resilienceproxy.time.Clock;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A circuit breaker: Resilience4j's, used so that it suits an event loop and a proxy (rules CB-2 to CB-6, CB-X2).
 *
 * <p>It never blocks, uses the lock-free window, takes its time from the proxy's clock, and counts a permit only in the
 * state in which it was taken: a late answer to a call from before an outage says nothing about the probes of after it.
 *
 * <p>Thread-safe.
 */
public final class Breaker {

    private final CircuitBreaker delegate;
    private final Clock clock;
    private final long openNanos;

    /** Written on each transition to open, before callers can see that state's permits refused; racy reads are late by one call. */
    private volatile long openedAtNanos;

    private final BreakerListener listener;

    public Breaker(String name, CircuitBreakerPolicy policy, Clock clock, BreakerListener listener) {
        this.clock = clock;
        this.listener = listener;
        this.openNanos = policy.waitDurationInOpenState().toNanos();
        this.delegate = CircuitBreaker.of(name, config(policy, clock));
        delegate.getEventPublisher()
                .onStateTransition(event -> onTransition(
                        state(event.getStateTransition().getFromState()),
                        state(event.getStateTransition().getToState())));
    }

    private static CircuitBreakerConfig config(CircuitBreakerPolicy policy, Clock clock) {
        return CircuitBreakerConfig.custom()
                .slidingWindow(
                        policy.slidingWindowSize(),
                        policy.minimumNumberOfCalls(),
                        policy.slidingWindowType() == CircuitBreakerPolicy.WindowType.TIME_BASED
                                ? SlidingWindowType.TIME_BASED
                                : SlidingWindowType.COUNT_BASED,
                        SlidingWindowSynchronizationStrategy.LOCK_FREE)
                .failureRateThreshold(policy.failureRateThreshold())
                .slowCallDurationThreshold(policy.slowCallDurationThreshold())
                .slowCallRateThreshold(policy.slowCallRateThreshold())
                .waitDurationInOpenState(policy.waitDurationInOpenState())
                .permittedNumberOfCallsInHalfOpenState(policy.permittedNumberOfCallsInHalfOpenState())
                .clock(new MonotonicClock(clock))
                .currentTimestampFunction(ignored -> clock.nanoTime(), TimeUnit.NANOSECONDS)
                .writableStackTraceEnabled(false)
                .build();
    }

    /** {@code upstream} or {@code upstream.route}. */
    public String name() {
        return delegate.getName();
    }

    /**
     * Leave for one attempt, or null when the breaker refuses. The permit must be settled exactly once, on every path.
     */
    public @Nullable BreakerPermit tryAcquire() {
        return delegate.tryAcquirePermission() ? new BreakerPermit(delegate, delegate.getMetrics()) : null;
    }

    public BreakerState state() {
        return state(delegate.getState());
    }

    /** Time until probes are admitted; 0 unless open. */
    public long remainingOpenNanos() {
        if (delegate.getState() != CircuitBreaker.State.OPEN) {
            return 0;
        }
        return Math.max(0, openedAtNanos + openNanos - clock.nanoTime());
    }

    /** Whether an attempt made now would be refused for certain: what a retry asks before it spends a pause on it. */
    public boolean isRefusing() {
        return remainingOpenNanos() > 0;
    }

    /** For the Micrometer binding only. */
    public CircuitBreaker delegate() {
        return delegate;
    }

    private void onTransition(BreakerState from, BreakerState to) {
        if (to == BreakerState.OPEN) {
            openedAtNanos = clock.nanoTime();
        }
        CircuitBreaker.Metrics metrics = delegate.getMetrics();
        listener.onTransition(name(), from, to, metrics.getFailureRate(), metrics.getSlowCallRate());
    }

    private static BreakerState state(CircuitBreaker.State state) {
        return switch (state) {
            case OPEN, FORCED_OPEN -> BreakerState.OPEN;
            case HALF_OPEN -> BreakerState.HALF_OPEN;
            case CLOSED, DISABLED, METRICS_ONLY -> BreakerState.CLOSED;
        };
    }
}
