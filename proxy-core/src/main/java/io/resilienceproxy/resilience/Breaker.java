package io.resilienceproxy.resilience;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
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
 * <p>It outlives its policy: {@link #change} gives it another, and it remembers.
 *
 * <p>Thread-safe.
 */
public final class Breaker {

    private final String name;
    private final Clock clock;
    private final BreakerListener listener;
    private volatile BreakerCore core;

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
        this.name = name;
        this.clock = clock;
        this.listener = listener;
        this.core = new BreakerCore(name, policy, clock);
        this.window = core.delegate.getMetrics();
        listenTo(core);
    }

    private void listenTo(BreakerCore source) {
        source.listener = (from, to) -> onTransition(source, state(from), state(to));
    }

    /**
     * Prepares another policy; it holds from when the returned step is run. An open breaker stays open for what remains of
     * its time. A half-open one begins its probes anew. A closed one keeps what is in its window as long as that has the
     * same type and size: where the new thresholds are met by it already, the breaker opens at once.
     *
     * @return to be run once, before the next change, on the thread that prepares it
     * @throws IllegalArgumentException when the policy is outside the ranges of the constructor; nothing has changed
     */
    public Runnable change(CircuitBreakerPolicy policy) {
        if (core.suits(policy)) {
            return () -> core.openFor(policy);
        }
        BreakerCore next = new BreakerCore(name, policy, clock);
        return () -> replace(core, next);
    }

    /**
     * Goes on where another one stands, under this name: what it has counted, and for how long it is open yet, as with {@link
     * #change}. The other one is left to calls that have begun; what they find out while it is closed counts here.
     *
     * <p>To be called once, before this one is used.
     *
     * @param policy of this one
     */
    public void continueFrom(Breaker other, CircuitBreakerPolicy policy) {
        replace(other.core, new BreakerCore(name, policy, clock));
    }

    private void replace(BreakerCore last, BreakerCore next) {
        CircuitBreaker.State before = last.delegate.getState();
        boolean sameCalls = next.continueFrom(last, before);
        if (before != CircuitBreaker.State.OPEN) {
            window = next.delegate.getMetrics();
        }
        listenTo(next);
        core = next;
        if (sameCalls) {
            last.continuedBy(next);
        }
        if (before == CircuitBreaker.State.CLOSED && !sameCalls) {
            onTransition(next, BreakerState.CLOSED, BreakerState.OPEN);
        }
    }

    /** {@code upstream} or {@code upstream.route}; of one of several urls, with {@code @host:port} behind it. */
    public String name() {
        return name;
    }

    /**
     * Leave for one attempt, or null when the breaker refuses. The permit must be settled exactly once, on every path:
     * half-open has no end of its own and waits for its probes.
     */
    public @Nullable BreakerPermit tryAcquire() {
        BreakerCore present = core;
        return present.tryAcquire() ? new BreakerPermit(present) : null;
    }

    /** Open until the first attempt behind the wait, which finds it half-open. */
    public BreakerState state() {
        return state(core.delegate.getState());
    }

    /**
     * Time until probes are admitted, which Resilience4j does strictly after this has come down to 0. Also 0 unless open:
     * a refusal may come with 0, as half-open refuses what is not a probe.
     */
    public long remainingOpenNanos() {
        return core.remainingOpenNanos();
    }

    /** Whether an attempt made now would be refused for certain: what a retry asks before it spends a pause on it. */
    public boolean isRefusing() {
        return remainingOpenNanos() > 0;
    }

    /** For the Micrometer binding only; another one after {@link #change}. */
    public CircuitBreaker delegate() {
        return core.delegate;
    }

    private void onTransition(BreakerCore source, BreakerState from, BreakerState to) {
        if (source != core) {
            // Calls from before a change of policy end where they began; they move nothing that is in use.
            return;
        }
        CircuitBreaker.Metrics present = source.delegate.getMetrics();
        // Exact where it matters most, also when the event of an earlier transition is still on its way.
        CircuitBreaker.Metrics left = to == BreakerState.OPEN ? present : window;
        window = present;
        listener.onTransition(name, from, to, left.getFailureRate(), left.getSlowCallRate());
    }

    private static BreakerState state(CircuitBreaker.State state) {
        return switch (state) {
            case OPEN, FORCED_OPEN -> BreakerState.OPEN;
            case HALF_OPEN -> BreakerState.HALF_OPEN;
            case CLOSED, DISABLED, METRICS_ONLY -> BreakerState.CLOSED;
        };
    }
}
