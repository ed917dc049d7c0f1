package io.resilienceproxy.outcome;

/** Why the proxy refused: nothing was sent for this attempt, and the upstream is not to blame. */
public enum Rejection {
    CIRCUIT_OPEN("circuit-open"),
    BULKHEAD_FULL("bulkhead-full"),
    /** No connection became free within the connect timeout. */
    POOL_EXHAUSTED("pool-exhausted"),
    DEADLINE_EXHAUSTED("deadline-exhausted");

    private final String token;

    Rejection(String token) {
        this.token = token;
    }

    /** The {@code reason} of problem documents and metrics. */
    public String token() {
        return token;
    }
}
