package io.resilienceproxy.exchange;

import io.netty.util.AsciiString;
import io.resilienceproxy.http.BodyLength;
import io.resilienceproxy.outcome.Delivery;
import io.resilienceproxy.outcome.TlsAlert;
import io.resilienceproxy.pool.Endpoint;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An answer of the proxy's own: a problem document (RFC 9457) with the fields that say what a caller must know before it
 * acts, or the fixed answer of a policy. What does not change from one occurrence to the next is made once.
 *
 * @param fields whole field lines beside those below
 * @param body the problem document, or what the policy says
 * @param proxyStatus the whole {@code Proxy-Status} field line (RFC 9209)
 * @param retryAfterSeconds for {@code Retry-After}, or {@link #NO_RETRY_AFTER}
 * @param close the connection must end behind it: what follows on it cannot be told apart
 */
public record LocalAnswer(
        int status,
        String title,
        AsciiString fields,
        byte[] body,
        AsciiString proxyStatus,
        long retryAfterSeconds,
        boolean close) {

    public static final long NO_RETRY_AFTER = -1;

    static final String PROXY_NAME = "resilience-proxy";

    private static final String NOT_KNOWN = "-";
    private static final AsciiString PROBLEM_FIELDS =
            AsciiString.cached("Content-Type: application/problem+json\r\nCache-Control: no-store\r\n");

    /** For a request that belongs to no route. */
    public static LocalAnswer unrouted(Reason reason, String detail, boolean close) {
        return of(reason, null, detail, NOT_KNOWN, NOT_KNOWN, Delivery.NOT_SENT, 0)
                .with(null, NO_RETRY_AFTER, close);
    }

    static LocalAnswer of(
            Reason reason,
            @Nullable TlsAlert alert,
            String detail,
            String upstream,
            String route,
            Delivery delivery,
            int attempts) {
        String document = "{\"type\":\"urn:resilience-proxy:problem:" + reason.token()
                + "\",\"title\":\"" + reason.title()
                + "\",\"status\":" + reason.status()
                + ",\"detail\":\"" + detail
                + "\",\"upstream\":" + nameOrNull(upstream)
                + ",\"route\":" + nameOrNull(route)
                + ",\"reason\":\"" + reason.token()
                + "\",\"outcome\":\"" + delivery.token()
                + "\",\"attempts\":" + attempts + "}\n";
        return new LocalAnswer(
                reason.status(),
                reason.title(),
                PROBLEM_FIELDS,
                document.getBytes(StandardCharsets.UTF_8),
                ProxyStatus.error(reason, alert, attempts),
                NO_RETRY_AFTER,
                false);
    }

    private static String nameOrNull(String name) {
        return name.equals(NOT_KNOWN) ? "null" : '"' + name + '"';
    }

    /** @param endpoint that was tried last; null: there was none */
    LocalAnswer with(@Nullable Endpoint endpoint, long retryAfter, boolean closes) {
        return endpoint == null && retryAfter == retryAfterSeconds && closes == close
                ? this
                : new LocalAnswer(
                        status, title, fields, body, ProxyStatus.at(proxyStatus, endpoint), retryAfter, closes);
    }

    /** The same answer to another mishap. */
    LocalAnswer with(AsciiString proxyStatusLine) {
        return new LocalAnswer(status, title, fields, body, proxyStatusLine, retryAfterSeconds, close);
    }

    /** As a field tells it: a status without a body has none (RFC 9110 section 8.6). */
    public long bodyLength() {
        return status == 204 ? BodyLength.ABSENT : body.length;
    }
}
