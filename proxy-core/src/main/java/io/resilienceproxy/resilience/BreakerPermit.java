package io.resilienceproxy.resilience;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.resilienceproxy.outcome.Verdict;
import java.util.concurrent.TimeUnit;

/**
 * Leave of a breaker for one attempt. Owned by that attempt, on its event loop; {@link #settle} ends it.
 */
public final class BreakerPermit {

    private static final Throwable FAILURE = new Failure();

    private final CircuitBreaker breaker;

    /**
     * Closed and half-open have a new window each time: it identifies the state that granted this. Open grants nothing
     * and keeps the window of the state before it.
     */
    private final CircuitBreaker.Metrics window;

    private boolean settled;

    BreakerPermit(CircuitBreaker breaker, CircuitBreaker.Metrics window) {
        this.breaker = breaker;
        this.window = window;
    }

    /**
     * Ends the permit: exactly once. Without effect when the breaker has left the state that granted it.
     *
     * @param verdict what it counts as
     * @param elapsedNanos what its slowness is judged by: from the attempt's start to the response head or the failure;
     *     slow is longer than the threshold, not equal
     * @throws IllegalStateException when settled before: a bug that would corrupt the breaker's count
     */
    public void settle(Verdict verdict, long elapsedNanos) {
        if (settled) {
            throw new IllegalStateException("permit of breaker " + breaker.getName() + " settled twice");
        }
        settled = true;
        if (breaker.getMetrics() != window || breaker.getState() == CircuitBreaker.State.OPEN) {
            return;
        }
        switch (verdict) {
            case SUCCESS -> breaker.onSuccess(elapsedNanos, TimeUnit.NANOSECONDS);
            case FAILURE -> breaker.onError(elapsedNanos, TimeUnit.NANOSECONDS, FAILURE);
            case IGNORED -> breaker.releasePermission();
        }
    }

    /** The one failure that every breaker is told: no message, no stack trace, nothing to allocate. */
    private static final class Failure extends Exception {
        Failure() {
            super("upstream failure", null, false, false);
        }
    }
}
