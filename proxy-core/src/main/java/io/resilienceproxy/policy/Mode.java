package io.resilienceproxy.policy;

/** Whether what protects an upstream acts on what it decides. */
public enum Mode {
    ENFORCE("enforce"),
    /** Breaker, bulkhead and budget decide and count, but refuse nothing: thresholds are tried on live traffic. */
    OBSERVE("observe");

    private final String token;

    Mode(String token) {
        this.token = token;
    }

    public String token() {
        return token;
    }
}
