package io.resilienceproxy.exchange;

import io.netty.util.AsciiString;
import io.resilienceproxy.outcome.TlsAlert;
import io.resilienceproxy.pool.Endpoint;
import org.jspecify.annotations.Nullable;

/** {@code Proxy-Status} field lines (RFC 9209), with their line end. */
final class ProxyStatus {

    private static final String START = "Proxy-Status: " + LocalAnswer.PROXY_NAME;

    /** No policy allows more attempts. */
    private static final int MAX_ATTEMPTS = 5;

    private static final AsciiString[] ATTEMPTS = new AsciiString[MAX_ATTEMPTS + 1];

    /** Made as they are first needed; a racing second one is equal to the first. */
    private static final @Nullable AsciiString[] RECEIVED = new AsciiString[600 * ATTEMPTS.length];

    static {
        for (int attempts = 0; attempts < ATTEMPTS.length; attempts++) {
            ATTEMPTS[attempts] = AsciiString.cached(START + "; attempts=" + attempts + "\r\n");
        }
    }

    private static final AsciiString END = AsciiString.cached("\r\n");

    private ProxyStatus() {}

    /** For a forwarded response that took several attempts. */
    static AsciiString attempts(int attempts) {
        return ATTEMPTS[attempts];
    }

    /** For an answer that is given in place of a response with that status (RFC 9209 section 2.1.5). */
    static AsciiString received(int status, int attempts) {
        int place = status * ATTEMPTS.length + attempts;
        AsciiString line = RECEIVED[place];
        if (line == null) {
            String tried = attempts > 1 ? "; attempts=" + attempts : "";
            line = AsciiString.cached(START + "; received-status=" + status + tried + "\r\n");
            RECEIVED[place] = line;
        }
        return line;
    }

    /** The same line with the parameter that names the endpoint; ready bytes are copied, nothing is formatted. */
    static AsciiString at(AsciiString line, @Nullable Endpoint endpoint) {
        return endpoint == null
                ? line
                : line.subSequence(0, line.length() - END.length(), false)
                        .concat(endpoint.nextHop())
                        .concat(END);
    }

    static AsciiString error(Reason reason, @Nullable TlsAlert alert, int attempts) {
        // RFC 9209 section 2.3.15: the name of an alert is a token of structured fields as it is.
        String told = alert == null ? "" : "; alert-id=" + alert.id() + "; alert-message=" + alert.token();
        String details = reason == Reason.DEADLINE_EXHAUSTED ? "; details=\"deadline exhausted\"" : "";
        String tried = attempts > 1 ? "; attempts=" + attempts : "";
        return AsciiString.cached(START + "; error=" + reason.proxyStatusError() + told + details + tried + "\r\n");
    }
}
