package io.resilienceproxy.exchange;

import io.resilienceproxy.http.RequestFault;
import io.resilienceproxy.outcome.FailureKind;
import io.resilienceproxy.outcome.Rejection;

/**
 * Why the proxy answered itself: the {@code reason} member of its problem documents (RFC 9457) and the {@code reason}
 * tag of metrics and log lines, with the status and the {@code Proxy-Status} error type (RFC 9209 section 2.3) it has.
 */
public enum Reason {
    NO_ROUTE("no-route", 404, "No route", "destination_not_found"),
    /** An absolute-form target names a host that no upstream has (RFC 9110 section 15.5.20). */
    MISDIRECTED("misdirected", 421, "Misdirected request", "destination_not_found"),
    CIRCUIT_OPEN(Rejection.CIRCUIT_OPEN.token(), 503, "Circuit breaker open", "destination_unavailable"),
    BULKHEAD_FULL(Rejection.BULKHEAD_FULL.token(), 503, "Bulkhead full", "connection_limit_reached"),
    POOL_EXHAUSTED(Rejection.POOL_EXHAUSTED.token(), 503, "Connection pool exhausted", "connection_limit_reached"),
    DEADLINE_EXHAUSTED(Rejection.DEADLINE_EXHAUSTED.token(), 504, "Deadline exhausted", "http_request_denied"),
    CONNECTION_REFUSED(FailureKind.CONNECTION_REFUSED.token(), 502, "Connection refused", "connection_refused"),
    CONNECT_TIMEOUT(FailureKind.CONNECT_TIMEOUT.token(), 504, "Connect timeout", "connection_timeout"),
    DNS_ERROR(FailureKind.DNS_ERROR.token(), 502, "Name resolution failed", "dns_error"),
    TLS_UNTRUSTED(FailureKind.TLS_UNTRUSTED.token(), 502, "Certificate not trusted", "tls_certificate_error"),
    TLS_EXPIRED(FailureKind.TLS_EXPIRED.token(), 502, "Certificate expired", "tls_certificate_error"),
    TLS_WRONG_NAME(FailureKind.TLS_WRONG_NAME.token(), 502, "Certificate of another name", "tls_certificate_error"),
    TLS_ALERT(FailureKind.TLS_ALERT.token(), 502, "TLS refused", "tls_alert_received"),
    TLS_PROTOCOL(FailureKind.TLS_PROTOCOL.token(), 502, "TLS failed", "tls_protocol_error"),
    RESET(FailureKind.RESET.token(), 502, "Connection terminated", "connection_terminated"),
    READ_TIMEOUT(FailureKind.READ_TIMEOUT.token(), 504, "Read timeout", "connection_read_timeout"),
    CALL_TIMEOUT(FailureKind.CALL_TIMEOUT.token(), 504, "Call timeout", "http_response_timeout"),
    MALFORMED_RESPONSE(FailureKind.MALFORMED_RESPONSE.token(), 502, "Malformed response", "http_protocol_error"),
    BAD_REQUEST("bad-request", 400, "Malformed request", "http_request_error"),
    REQUEST_TIMEOUT("request-timeout", 408, "Request timeout", "http_request_error"),
    TARGET_TOO_LONG("target-too-long", 414, "Request target too long", "http_request_error"),
    EXPECTATION_FAILED("expectation-failed", 417, "Expectation failed", "http_request_error"),
    HEADERS_TOO_LARGE("headers-too-large", 431, "Request header fields too large", "http_request_error"),
    NOT_IMPLEMENTED("not-implemented", 501, "Not implemented", "http_request_error"),
    VERSION_NOT_SUPPORTED("version-not-supported", 505, "HTTP version not supported", "http_request_error"),
    TOO_MANY_CONNECTIONS("too-many-connections", 503, "Too many connections", "connection_limit_reached");

    private final String token;
    private final int status;
    private final String title;
    private final String proxyStatusError;

    Reason(String token, int status, String title, String proxyStatusError) {
        this.token = token;
        this.status = status;
        this.title = title;
        this.proxyStatusError = proxyStatusError;
    }

    public String token() {
        return token;
    }

    public int status() {
        return status;
    }

    /** A short summary that does not change from one occurrence to the next (RFC 9457 section 3.1.4). */
    public String title() {
        return title;
    }

    public String proxyStatusError() {
        return proxyStatusError;
    }

    static Reason of(Rejection rejection) {
        return switch (rejection) {
            case CIRCUIT_OPEN -> CIRCUIT_OPEN;
            case BULKHEAD_FULL -> BULKHEAD_FULL;
            case POOL_EXHAUSTED -> POOL_EXHAUSTED;
            case DEADLINE_EXHAUSTED -> DEADLINE_EXHAUSTED;
        };
    }

    static Reason of(FailureKind kind) {
        return switch (kind) {
            case CONNECTION_REFUSED -> CONNECTION_REFUSED;
            case CONNECT_TIMEOUT -> CONNECT_TIMEOUT;
            case DNS_ERROR -> DNS_ERROR;
            case TLS_UNTRUSTED -> TLS_UNTRUSTED;
            case TLS_EXPIRED -> TLS_EXPIRED;
            case TLS_WRONG_NAME -> TLS_WRONG_NAME;
            case TLS_ALERT -> TLS_ALERT;
            case TLS_PROTOCOL -> TLS_PROTOCOL;
            case RESET, TRUNCATED_RESPONSE -> RESET;
            case READ_TIMEOUT -> READ_TIMEOUT;
            case CALL_TIMEOUT -> CALL_TIMEOUT;
            case MALFORMED_RESPONSE -> MALFORMED_RESPONSE;
        };
    }

    /** What the wire refused. */
    public static Reason of(RequestFault.Kind fault) {
        return switch (fault) {
            case BAD_REQUEST -> BAD_REQUEST;
            case TARGET_TOO_LONG -> TARGET_TOO_LONG;
            case EXPECTATION_FAILED -> EXPECTATION_FAILED;
            case HEADERS_TOO_LARGE -> HEADERS_TOO_LARGE;
            case NOT_IMPLEMENTED -> NOT_IMPLEMENTED;
            case VERSION_NOT_SUPPORTED -> VERSION_NOT_SUPPORTED;
        };
    }
}
