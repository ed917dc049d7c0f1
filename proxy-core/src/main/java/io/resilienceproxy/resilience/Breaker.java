package io.resilienceproxy.resilience;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowSynchronizationStrategy;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.resilienceproxy.policy.CircuitBreakerPolicy;
import io.resilienceproxy.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * A circuit breaker: Resilience4j's, used so that it suits an event loop and a proxy (rules CB-2 to CB-6, CB-X2).
 *
 * <p>It uses the lock-free window, takes the end of its open state from the proxy's clock, and counts a permit only in
 * the state in which it was taken: a late answer to a call from before an outage says nothing about the probes of after
 * it. Callers that meet while it turns half-open wait for each other for the length of that step; nothing else blocks.
 *
 * <p>The seconds of a time-based window come from {@link System#nanoTime()} even when the clock is another:
 * Resilience4j's lock-free window accepts none.
 *
 * <p>Thread-safe.
 */
public final class Breaker {

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final CircuitBreaker delegate;
    private final Clock clock;
    private final BreakerListener listener;

    /** Whole milliseconds, as Resilience4j counts them. */
    private final long openNanos;

    /**
     * Written when Resilience4j asks how long to stay open, which it does before anyone can see the state. It reads the
     * clock for itself just behind that, so this end of the open state is early by the time between two statements.
     */
    private volatile long openedAtNanos;

    /** What the present state counts in, except that open has none of its own and keeps the one that tripped it. */
    private volatile CircuitBreaker.Metrics window;

    /**
     * A closed breaker.
     *
     * @param policy a window of at least 2, rates from 1 to 100, a slow-call threshold above 0, an open state of at least
     *     1 ms and at least 1 probe; with fewer minimum calls than probes, the first of them decide
     * @throws IllegalArgumentException when the policy is outside these ranges
     */
    public Breaker(String name, CircuitBreakerPolicy policy, Clock clock, BreakerListener listener) {
        if (policy.slidingWindowSize() < 2) {
            // Resilience4j's lock-free window of one call breaks on its second record.
            throw new IllegalArgumentException(
                    "sliding window: " + policy.slidingWindowSize() + " (expected: 2 or more)");
        }
        this.clock = clock;
        this.listener = listener;
        this.openNanos = policy.waitDurationInOpenState().toMillis() * NANOS_PER_MILLI;
        if (openNanos < NANOS_PER_MILLI) {
            throw new IllegalArgumentException(
                    "wait in open state: " + policy.waitDurationInOpenState() + " (expected: 1 ms or more)");
        }
        this.delegate = CircuitBreaker.of(name, config(policy));
        this.window = delegate.getMetrics();
        delegate.getEventPublisher()
                .onStateTransition(event -> onTransition(
                        state(event.getStateTransition().getFromState()),
                        state(event.getStateTransition().getToState())));
    }

    private CircuitBreakerConfig config(CircuitBreakerPolicy policy) {
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
                .waitIntervalFunctionInOpenState(this::openMillis)
                .permittedNumberOfCallsInHalfOpenState(policy.permittedNumberOfCallsInHalfOpenState())
                .clock(new MonotonicClock(clock))
                .writableStackTraceEnabled(false)
                .build();
    }

    private long openMillis(int opening) {
        openedAtNanos = clock.nanoTime();
        return openNanos / NANOS_PER_MILLI;
    }

    /** {@code upstream} or {@code upstream.route}. */
    public String name() {
        return delegate.getName();
    }

    /**
     * Leave for one attempt, or null when the breaker refuses. The permit must be settled exactly once, on every path:
     * half-open has no end of its own and waits for its probes.
     */
    public @Nullable BreakerPermit tryAcquire() {
        return delegate.tryAcquirePermission() ? new BreakerPermit(delegate, delegate.getMetrics()) : null;
    }

    /** Open until the first attempt behind the wait, which finds it half-open. */
    public BreakerState state() {
        return state(delegate.getState());
    }

    /**
     * Time until probes are admitted, which Resilience4j does strictly after this has come down to 0. Also 0 unless open:
     * a refusal may come with 0, as half-open refuses what is not a probe.
     */
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
        CircuitBreaker.Metrics present = delegate.getMetrics();
        // Exact where it matters most, also when the event of an earlier transition is still on its way.
        CircuitBreaker.Metrics left = to == BreakerState.OPEN ? present : window;
        window = present;
        listener.onTransition(name(), from, to, left.getFailureRate(), left.getSlowCallRate());
    }

    private static BreakerState state(CircuitBreaker.State state) {
        return switch (state) {
            case OPEN, FORCED_OPEN -> BreakerState.OPEN;
            case HALF_OPEN -> BreakerState.HALF_OPEN;
            case CLOSED, DISABLED, METRICS_ONLY -> BreakerState.CLOSED;
        };
    }
}
