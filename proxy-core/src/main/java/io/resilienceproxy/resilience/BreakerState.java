package io.resilienceproxy.resilience;

/** Closed passes, open rejects, half-open admits probes. */
public enum BreakerState {
    CLOSED("closed"),
    OPEN("open"),
    HALF_OPEN("half-open");

    private final String token;

    BreakerState(String token) {
        this.token = token;
    }

    public String token() {
        return token;
    }
}
