package io.resilienceproxy.outcome;

/** How an attempt failed. */
public enum FailureKind {
    CONNECTION_REFUSED("connection-refused", Group.CONNECT),
    CONNECT_TIMEOUT("connect-timeout", Group.CONNECT),
    DNS_ERROR("dns-error", Group.CONNECT),
    /** The upstream's certificate leads to no authority that is trusted, or is not fit for a server. */
    TLS_UNTRUSTED("tls-untrusted", Group.CONNECT),
    /** The upstream's certificate, or one that it leads to, is valid no longer or not yet. */
    TLS_EXPIRED("tls-expired", Group.CONNECT),
    /** The upstream's certificate is trusted, and is somebody else's. */
    TLS_WRONG_NAME("tls-wrong-name", Group.CONNECT),
    /** The upstream refused us with an alert; see {@link TlsAlert}. */
    TLS_ALERT("tls-alert", Group.CONNECT),
    /** Any other end of TLS: no version or cipher in common, not TLS at all, closed within the handshake. */
    TLS_PROTOCOL("tls-protocol", Group.CONNECT),
    /** The connection ended before a whole response head: reset, or closed without an answer. */
    RESET("reset", Group.RESET),
    /** Silence of the upstream for longer than the read timeout, before the response head. */
    READ_TIMEOUT("read-timeout", Group.TIMEOUT),
    /** The exchange's deadline ran out while the upstream had not answered. */
    CALL_TIMEOUT("call-timeout", Group.TIMEOUT),
    /** The upstream answered something that is not HTTP. */
    MALFORMED_RESPONSE("malformed-response", Group.BROKEN),
    /** The response broke off behind its head: part of it has been relayed. */
    TRUNCATED_RESPONSE("truncated-response", Group.BROKEN);

    /** What {@code retry-on} calls it. */
    public enum Group {
        CONNECT,
        RESET,
        TIMEOUT,
        /** Never retried: another attempt would meet the same. */
        BROKEN
    }

    private final String token;
    private final Group group;

    FailureKind(String token, Group group) {
        this.token = token;
        this.group = group;
    }

    /** The {@code reason} of problem documents and metrics. */
    public String token() {
        return token;
    }

    public Group group() {
        return group;
    }
}
