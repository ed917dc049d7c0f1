package io.resilienceproxy.outcome;

/** Why a good answer to a read was not kept for the fallback: the {@code reason} tag of its metric. */
public enum NotKept {
    /** None of those that answer a read in whole: 200, 203, 204. */
    STATUS("status"),
    /** The request forbids it, or has a body or a condition that only the upstream can judge. */
    REQUEST("request"),
    /** The request has credentials that are not among the fields that answers are told apart by. */
    CREDENTIALS("credentials"),
    /** A field that the answer is told apart by ended at this hop: the upstream has answered without it. */
    HOP_BY_HOP("hop-by-hop"),
    /** It sets a cookie. */
    SET_COOKIE("set-cookie"),
    /** It says so itself. */
    CACHE_CONTROL("cache-control"),
    /** It varies by what no request can tell, or by too much. */
    VARY("vary"),
    /** It is an answer from the fallback of a layer below. */
    DEGRADED("degraded"),
    TOO_LONG("too-long"),
    /** Too much was being received at the same time. */
    NO_ROOM("no-room"),
    TRAILERS("trailers"),
    /** It broke off, or its caller left before its end. */
    CUT_SHORT("cut-short");

    private final String token;

    NotKept(String token) {
        this.token = token;
    }

    public String token() {
        return token;
    }
}
