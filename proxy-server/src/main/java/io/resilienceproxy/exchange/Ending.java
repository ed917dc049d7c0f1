package io.resilienceproxy.exchange;

/** How an exchange ended for its caller: the {@code outcome} tag of the request metrics. */
public enum Ending {
    /** The upstream's response was relayed whole, whatever its status. */
    RESPONSE("response"),
    /** The upstream's response broke off behind its head; the caller's connection was closed without an end. */
    RESPONSE_ABORTED("response-aborted"),
    /** The proxy answered itself, and nothing had been sent to the upstream. */
    NOT_SENT("not-sent"),
    /** The proxy answered itself, and the upstream may have seen the request. */
    UNKNOWN("unknown"),
    /** There was no real answer, and the caller got the last good one instead, marked as such. */
    DEGRADED_STALE("degraded-stale"),
    /** There was neither, and it got the fixed one of the policy, marked as such. */
    DEGRADED_DEFAULT("degraded-default"),
    /** The caller left before its response was whole. */
    CALLER_LEFT("caller-left");

    private final String token;

    Ending(String token) {
        this.token = token;
    }

    public String token() {
        return token;
    }

    /** Answered from the fallback. */
    public boolean isDegraded() {
        return this == DEGRADED_STALE || this == DEGRADED_DEFAULT;
    }
}
