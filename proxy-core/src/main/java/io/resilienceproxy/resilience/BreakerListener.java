package io.resilienceproxy.resilience;

/**
 * Told of every transition of a breaker once, on the thread that caused it; must neither block nor throw. Two that follow
 * each other at once on two threads may arrive in either order: {@link Breaker#state()} is the present state.
 */
@FunctionalInterface
public interface BreakerListener {

    /**
     * @param name of the breaker: {@code upstream} or {@code upstream.route}
     * @param failureRate percent of the calls in the window that was left, or -1 when it held too few to tell; on the way
     *     to half-open it is the window that tripped the breaker
     * @param slowCallRate likewise
     */
    void onTransition(String name, BreakerState from, BreakerState to, float failureRate, float slowCallRate);
}
