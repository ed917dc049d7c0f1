package io.resilienceproxy.exchange;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.util.AsciiString;
import io.resilienceproxy.http.RequestHead;
import java.nio.charset.StandardCharsets;

/**
 * What the proxy answers as the final recipient of an OPTIONS or a TRACE that may not be forwarded (RFC 9110 section
 * 7.6.2). An OPTIONS learns who has answered and nothing else: what the upstream can do only the upstream knows. A TRACE gets
 * back what arrived here (section 9.3.8), without credentials.
 */
public final class LastHop {

    private static final AsciiString PROXY_STATUS =
            AsciiString.cached("Proxy-Status: " + LocalAnswer.PROXY_NAME + "\r\n");
    private static final AsciiString NOT_STORED = AsciiString.cached("Cache-Control: no-store\r\n");
    private static final AsciiString REFLECTED =
            AsciiString.cached("Content-Type: message/http\r\nCache-Control: no-store\r\n");

    private LastHop() {}

    /** @param head of an OPTIONS or a TRACE */
    public static LocalAnswer answer(RequestHead head) {
        boolean trace = head.method().equals("TRACE");
        byte[] body = trace ? reflect(head).getBytes(StandardCharsets.ISO_8859_1) : new byte[0];
        return new LocalAnswer(
                200, "OK", trace ? REFLECTED : NOT_STORED, body, PROXY_STATUS, LocalAnswer.NO_RETRY_AFTER, false);
    }

    private static String reflect(RequestHead head) {
        StringBuilder text = new StringBuilder(256)
                .append(head.method())
                .append(' ')
                .append(head.target())
                .append(" HTTP/1.")
                .append(head.minorVersion())
                .append("\r\n");
        head.fields().iteratorCharSequence().forEachRemaining(field -> {
            if (!isCredential(field.getKey())) {
                text.append(field.getKey())
                        .append(": ")
                        .append(field.getValue())
                        .append("\r\n");
            }
        });
        return text.append("\r\n").toString();
    }

    private static boolean isCredential(CharSequence name) {
        return HttpHeaderNames.AUTHORIZATION.contentEqualsIgnoreCase(name)
                || HttpHeaderNames.PROXY_AUTHORIZATION.contentEqualsIgnoreCase(name)
                || HttpHeaderNames.COOKIE.contentEqualsIgnoreCase(name);
    }
}
