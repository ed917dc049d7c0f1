package io.resilienceproxy.resilience;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowSynchronizationStrategy;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.resilienceproxy.outcome.Verdict;
import io.resilienceproxy.policy.CircuitBreakerPolicy;
import io.resilienceproxy.time.Clock;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One of Resilience4j's breakers, under thresholds that cannot change. A {@link Breaker} works with one at a time and
 * replaces it when its thresholds change; what the old one remembers is carried over.
 *
 * <p>Thread-safe, but for {@link #continueFrom}, which comes before anyone else knows the new one.
 */
final class BreakerCore {

    private static final Throwable FAILURE = new Failure();
    private static final long NANOS_PER_MILLI = 1_000_000;

    final CircuitBreaker delegate;

    private final CircuitBreakerPolicy policy;
    private final Clock clock;
    private final MonotonicClock monotonic;
    private final CircuitBreaker.Metrics firstWindow;

    /** Whole milliseconds, as Resilience4j counts them; of the next opening. */
    private volatile long openNanos;

    /**
     * Written when Resilience4j asks how long to stay open, which it does before anyone can see the state. It reads the
     * clock for itself just behind that, so this end of the open state is early by the time between two statements.
     */
    private volatile long openUntilNanos;

    /**
     * The state that was last reported. Compared behind each step that can change it: a consumer of Resilience4j's events
     * would make it build an event for every call.
     */
    private final AtomicReference<CircuitBreaker.State> reported = new AtomicReference<>(CircuitBreaker.State.CLOSED);

    /** Set before the first call. */
    @Nullable
    BiConsumer<CircuitBreaker.State, CircuitBreaker.State> listener;

    /** What goes on counting for this one, where it was replaced while closed. */
    private volatile @Nullable BreakerCore continuedBy;

    /** @throws IllegalArgumentException when the policy is outside the ranges of {@link Breaker} */
    BreakerCore(String name, CircuitBreakerPolicy policy, Clock clock) {
        if (policy.slidingWindowSize() < 2) {
            // Resilience4j's lock-free window of one call breaks on its second record.
            throw new IllegalArgumentException(
                    "sliding window: " + policy.slidingWindowSize() + " (expected: 2 or more)");
        }
        this.policy = policy;
        this.clock = clock;
        this.monotonic = new MonotonicClock(clock);
        this.openNanos = openNanos(policy);
        this.openUntilNanos = clock.nanoTime();
        this.delegate = CircuitBreaker.of(name, config());
        this.firstWindow = delegate.getMetrics();
    }

    private static long openNanos(CircuitBreakerPolicy policy) {
        long nanos = policy.waitDurationInOpenState().toMillis() * NANOS_PER_MILLI;
        if (nanos < NANOS_PER_MILLI) {
            throw new IllegalArgumentException(
                    "wait in open state: " + policy.waitDurationInOpenState() + " (expected: 1 ms or more)");
        }
        return nanos;
    }

    /**
     * The window of calls is an array under a lock, held for some 20 ns and never contended with one event loop. Without a lock it
     * would be a linked list of all calls: once one of its nodes is old, the collector takes every later one for alive, and the
     * old generation filled up with them, for a full collection of 15 ms each second under load.
     */
    private CircuitBreakerConfig config() {
        boolean ofTime = policy.slidingWindowType() == CircuitBreakerPolicy.WindowType.TIME_BASED;
        return CircuitBreakerConfig.custom()
                .slidingWindow(
                        policy.slidingWindowSize(),
                        policy.minimumNumberOfCalls(),
                        ofTime ? SlidingWindowType.TIME_BASED : SlidingWindowType.COUNT_BASED,
                        ofTime
                                ? SlidingWindowSynchronizationStrategy.LOCK_FREE
                                : SlidingWindowSynchronizationStrategy.SYNCHRONIZED)
                .failureRateThreshold(policy.failureRateThreshold())
                .slowCallDurationThreshold(policy.slowCallDurationThreshold())
                .slowCallRateThreshold(policy.slowCallRateThreshold())
                .waitIntervalFunctionInOpenState(this::openMillis)
                .permittedNumberOfCallsInHalfOpenState(policy.permittedNumberOfCallsInHalfOpenState())
                .clock(monotonic)
                .writableStackTraceEnabled(false)
                .build();
    }

    private long openMillis(int opening) {
        openUntilNanos = clock.nanoTime() + openNanos;
        return openNanos / NANOS_PER_MILLI;
    }

    /** Whether this one can work under another policy: only the length of the next open state may differ. */
    boolean suits(CircuitBreakerPolicy other) {
        return policy.slidingWindowType() == other.slidingWindowType()
                && policy.slidingWindowSize() == other.slidingWindowSize()
                && policy.minimumNumberOfCalls() == other.minimumNumberOfCalls()
                && policy.failureRateThreshold() == other.failureRateThreshold()
                && policy.slowCallDurationThreshold().equals(other.slowCallDurationThreshold())
                && policy.slowCallRateThreshold() == other.slowCallRateThreshold()
                && policy.permittedNumberOfCallsInHalfOpenState() == other.permittedNumberOfCallsInHalfOpenState();
    }

    /** From the next opening on; the present one ends as it began. */
    void openFor(CircuitBreakerPolicy other) {
        openNanos = openNanos(other);
    }

    boolean tryAcquire() {
        boolean acquired = delegate.tryAcquirePermission();
        report();
        return acquired;
    }

    /** Of several threads that see a change, one reports it. */
    private void report() {
        CircuitBreaker.State before = reported.get();
        CircuitBreaker.State now = delegate.getState();
        if (now != before && reported.compareAndSet(before, now) && listener != null) {
            listener.accept(before, now);
        }
    }

    long remainingOpenNanos() {
        return delegate.getState() == CircuitBreaker.State.OPEN ? Math.max(0, openUntilNanos - clock.nanoTime()) : 0;
    }

    /**
     * Takes over where the other stands. Open stays open for what remains of its time. Half-open begins its probes anew:
     * those that are out were sent under other rules. Closed keeps the calls in its window, if the new window has the same
     * type and size, as they were judged when they ended: so it may be open behind this. The calls of a time-based window
     * count as calls of this second.
     *
     * @param state of the other
     * @return whether calls that the other let pass while closed are to be counted here
     */
    boolean continueFrom(BreakerCore other, CircuitBreaker.State state) {
        if (state == CircuitBreaker.State.CLOSED) {
            if (hasSameWindow(other.policy)) {
                repeat(other.delegate.getMetrics());
            }
            reported.set(delegate.getState());
            return delegate.getState() == CircuitBreaker.State.CLOSED;
        }
        long remainingNanos = other.remainingOpenNanos();
        openUntilNanos = clock.nanoTime() + remainingNanos;
        Instant until = monotonic.instant().plusNanos(remainingNanos);
        delegate.transitionToOpenStateUntil(until);
        if (state == CircuitBreaker.State.HALF_OPEN) {
            delegate.transitionToHalfOpenState();
        }
        reported.set(delegate.getState());
        return false;
    }

    private boolean hasSameWindow(CircuitBreakerPolicy other) {
        return policy.slidingWindowType() == other.slidingWindowType()
                && policy.slidingWindowSize() == other.slidingWindowSize();
    }

    /**
     * Spreads failures and slow calls evenly, each for itself: no part of the row from its start has a higher rate than the
     * whole, so a threshold is met by the whole or not at all.
     */
    private void repeat(CircuitBreaker.Metrics window) {
        long calls = window.getNumberOfBufferedCalls();
        long failed = window.getNumberOfFailedCalls();
        long slow = window.getNumberOfSlowCalls();
        long slowNanos = policy.slowCallDurationThreshold().toNanos() + 1;
        for (long i = 1; i <= calls && delegate.getState() == CircuitBreaker.State.CLOSED; i++) {
            boolean fails = i * failed / calls > (i - 1) * failed / calls;
            boolean isSlow = i * slow / calls > (i - 1) * slow / calls;
            record(fails ? Verdict.FAILURE : Verdict.SUCCESS, isSlow ? slowNanos : 0);
        }
    }

    void continuedBy(BreakerCore successor) {
        continuedBy = successor;
    }

    /**
     * Counts a call if the state that granted it is still there.
     *
     * @param window of that state
     */
    void settle(CircuitBreaker.Metrics window, Verdict verdict, long elapsedNanos) {
        if (!isIn(window)) {
            return;
        }
        BreakerCore counting = this;
        for (BreakerCore next = continuedBy; next != null; next = next.continuedBy) {
            counting = next;
        }
        if (counting == this || counting.isIn(counting.firstWindow)) {
            counting.record(verdict, elapsedNanos);
        }
    }

    /** Open grants nothing and keeps the window of the state before it. */
    private boolean isIn(CircuitBreaker.Metrics window) {
        return delegate.getMetrics() == window && delegate.getState() != CircuitBreaker.State.OPEN;
    }

    private void record(Verdict verdict, long elapsedNanos) {
        switch (verdict) {
            case SUCCESS -> delegate.onSuccess(elapsedNanos, TimeUnit.NANOSECONDS);
            case FAILURE -> delegate.onError(elapsedNanos, TimeUnit.NANOSECONDS, FAILURE);
            case IGNORED -> delegate.releasePermission();
        }
        report();
    }

    /** The one failure that every breaker is told: no message, no stack trace, nothing to allocate. */
    private static final class Failure extends Exception {
        Failure() {
            super("upstream failure", null, false, false);
        }
    }
}
