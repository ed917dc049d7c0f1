package io.resilienceproxy.resilience;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.resilienceproxy.outcome.Verdict;

/**
 * Leave of a breaker for one attempt. Owned by that attempt, on its event loop; {@link #settle} ends it.
 */
public final class BreakerPermit {

    private final BreakerCore core;

    /** Closed and half-open have a new window each time: it identifies the state that granted this. */
    private final CircuitBreaker.Metrics window;

    private boolean settled;

    BreakerPermit(BreakerCore core) {
        this.core = core;
        this.window = core.delegate.getMetrics();
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
            throw new IllegalStateException("permit of breaker " + core.delegate.getName() + " settled twice");
        }
        settled = true;
        core.settle(window, verdict, elapsedNanos);
    }
}
