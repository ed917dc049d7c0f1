package io.resilienceproxy.pool;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.Locale;

/**
 * The {@code Keep-Alive: timeout=n} by which many servers tell when they will close an idle connection. Only a
 * convention, but following it avoids most races between their close and our next request.
 */
final class KeepAliveHint {

    private static final AsciiString KEEP_ALIVE = AsciiString.cached("keep-alive");
    private static final String TIMEOUT = "timeout=";

    /** We stop using a connection this part of the announced time earlier. */
    private static final int MARGIN_DIVISOR = 5;

    private static final int MAX_DIGITS = 7;

    private KeepAliveHint() {}

    /** The shorter of the pool's own limit and the announced one, in nanoseconds. */
    static long limit(HttpHeaders fields, long ownNanos) {
        String value = fields.get(KEEP_ALIVE);
        if (value == null) {
            return ownNanos;
        }
        int start = value.toLowerCase(Locale.ROOT).indexOf(TIMEOUT);
        if (start < 0) {
            return ownNanos;
        }
        int digits = 0;
        long seconds = 0;
        for (int i = start + TIMEOUT.length(); i < value.length() && digits < MAX_DIGITS; i++, digits++) {
            char c = value.charAt(i);
            if (c < '0' || c > '9') {
                break;
            }
            seconds = seconds * 10 + c - '0';
        }
        long announced = seconds * 1_000_000_000L;
        return digits == 0 ? ownNanos : Math.min(ownNanos, announced - announced / MARGIN_DIVISOR);
    }
}
