package io.resilienceproxy.outcome;

/** What a caller must know before it repeats a request: whether the upstream may have seen it. */
public enum Delivery {
    /** No byte of the request reached the upstream: safe to reject or repeat. */
    NOT_SENT("not-sent"),
    /** It may have happened: never claim either. */
    UNKNOWN("unknown");

    private final String token;

    Delivery(String token) {
        this.token = token;
    }

    /** As the {@code outcome} member of a problem document says it. */
    public String token() {
        return token;
    }

    /** Over several attempts {@link #UNKNOWN} wins. */
    public Delivery or(Delivery other) {
        return this == UNKNOWN ? this : other;
    }
}
