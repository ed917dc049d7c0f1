package io.resilienceproxy.resilience;

/** Told of every transition of a breaker, on the thread that caused it; must neither block nor throw. */
@FunctionalInterface
public interface BreakerListener {

    /**
     * @param name of the breaker: {@code upstream} or {@code upstream.route}
     * @param failureRate percent of the calls in the window that was left, or -1 when it held too few to tell
     * @param slowCallRate likewise
     */
    void onTransition(String name, BreakerState from, BreakerState to, float failureRate, float slowCallRate);
}
