package io.resilienceproxy.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes heads, trailers and chunk frames. Fields are copied in their order, byte for byte; those that end at this hop are
 * left out (RFC 9110 section 7.6.1), and the framing fields are written from the one decision in {@code bodyLength}.
 *
 * <p>Stateless; writes into the caller's buffer and keeps no reference to it.
 */
public final class HeadWriter {

    private static final AsciiString HTTP_11 = AsciiString.cached(" HTTP/1.1\r\n");
    private static final AsciiString STATUS_LINE = AsciiString.cached("HTTP/1.1 ");
    private static final AsciiString HOST = AsciiString.cached("Host: ");
    private static final AsciiString CONTENT_LENGTH = AsciiString.cached("Content-Length: ");
    private static final AsciiString X_ATTEMPT = AsciiString.cached("X-Attempt: ");
    private static final AsciiString CHUNKED = AsciiString.cached("Transfer-Encoding: chunked\r\n");
    private static final AsciiString VIA_11 = AsciiString.cached("Via: 1.1 resilience-proxy\r\n");
    private static final AsciiString VIA_10 = AsciiString.cached("Via: 1.0 resilience-proxy\r\n");
    private static final AsciiString CLOSE = AsciiString.cached("Connection: close\r\n");
    private static final AsciiString KEEP_ALIVE = AsciiString.cached("Connection: keep-alive\r\n");
    private static final AsciiString UPGRADE = AsciiString.cached("Connection: Upgrade\r\nUpgrade: websocket\r\n");
    private static final AsciiString TRAILERS = AsciiString.cached("Connection: TE\r\nTE: trailers\r\n");
    private static final AsciiString LAST_CHUNK = AsciiString.cached("0\r\n");
    private static final int CRLF = '\r' << 8 | '\n';
    private static final int COLON_SPACE = ':' << 8 | ' ';

    /** What a response says of the connection it comes on. */
    public enum ConnectionOption {
        NONE,
        CLOSE,
        /** For HTTP/1.0 callers that asked for it. */
        KEEP_ALIVE,
        /** It leaves HTTP for the WebSocket protocol. */
        UPGRADE
    }

    private HeadWriter() {}

    /**
     * The head of a request as the upstream gets it.
     *
     * @param prefixLength how many characters of the target addressed the upstream
     * @param remainingMillis for the deadline field
     * @param attempt its number, from 1: what the layer below is told in {@code X-Attempt}
     */
    public static void writeRequest(
            ByteBuf out,
            RequestHead head,
            int prefixLength,
            RequestRewrite rewrite,
            long remainingMillis,
            int attempt) {
        write(out, head.method());
        out.writeByte(' ');
        writeTarget(out, head.target(), prefixLength, rewrite.basePath());
        write(out, HTTP_11);
        write(out, HOST);
        write(out, rewrite.authority());
        out.writeShort(CRLF);
        writeRequestFields(out, head, rewrite.deadlineField());
        writeFraming(out, head.bodyLength());
        if (head.webSocket()) {
            write(out, UPGRADE);
        }
        write(out, rewrite.deadlineField());
        out.writeShort(COLON_SPACE);
        writeDecimal(out, remainingMillis);
        out.writeShort(CRLF);
        write(out, X_ATTEMPT);
        writeDecimal(out, attempt);
        out.writeShort(CRLF);
        write(out, head.isHttp11() ? VIA_11 : VIA_10);
        if (takesTrailers(head)) {
            write(out, TRAILERS);
        }
        out.writeShort(CRLF);
    }

    /** Trailers can be relayed to a caller that is sent chunks; no other coding of TE is understood (RFC 9110 section 10.1.4). */
    private static boolean takesTrailers(RequestHead head) {
        return head.isHttp11() && head.fields().containsValue(HttpHeaderNames.TE, HttpHeaderValues.TRAILERS, true);
    }

    private static void writeTarget(ByteBuf out, String target, int prefixLength, AsciiString basePath) {
        if (target.equals("*")) {
            out.writeByte('*');
            return;
        }
        write(out, basePath);
        boolean hasPath = prefixLength < target.length() && target.charAt(prefixLength) == '/';
        if (!hasPath && basePath.isEmpty()) {
            out.writeByte('/');
        }
        for (int i = prefixLength; i < target.length(); i++) {
            out.writeByte(target.charAt(i));
        }
    }

    private static void writeRequestFields(ByteBuf out, RequestHead head, AsciiString deadlineField) {
        List<String> nominated = ConnectionField.nominated(head.fields());
        Iterator<Map.Entry<CharSequence, CharSequence>> fields = head.fields().iteratorCharSequence();
        while (fields.hasNext()) {
            Map.Entry<CharSequence, CharSequence> field = fields.next();
            CharSequence name = field.getKey();
            boolean written = name.length() == 4 && HopByHop.is("host", name)
                    || name.length() == 9 && HopByHop.is("x-attempt", name)
                    || HopByHop.isContentLength(name)
                    || deadlineField.contentEqualsIgnoreCase(name);
            if (!written && !HopByHop.isKnown(name) && !HopByHop.isNominated(nominated, name)) {
                writeField(out, name, field.getValue());
            }
        }
    }

    /**
     * The head of a response as the caller gets it.
     *
     * @param bodyLength the framing on this side: it differs from the upstream's where the caller speaks HTTP/1.0
     * @param proxyStatus a whole field line to add, or null
     */
    public static void writeResponse(
            ByteBuf out,
            ResponseHead head,
            long bodyLength,
            ConnectionOption connection,
            @Nullable AsciiString proxyStatus) {
        writeStatusLine(out, head.status(), head.reasonPhrase());
        writeResponseFields(out, head.fields(), keepsContentLength(head));
        writeFraming(out, bodyLength);
        writeConnection(out, connection);
        if (proxyStatus != null) {
            write(out, proxyStatus);
        }
        out.writeShort(CRLF);
    }

    /** Answers to HEAD, and 304, tell the length of a body that does not follow (RFC 9110 section 8.6). */
    private static boolean keepsContentLength(ResponseHead head) {
        return head.bodyLength() == BodyLength.ABSENT && head.status() != 204 && !head.isInformational();
    }

    public static void writeStatusLine(ByteBuf out, int status, String reasonPhrase) {
        write(out, STATUS_LINE);
        writeDecimal(out, status);
        out.writeByte(' ');
        write(out, reasonPhrase);
        out.writeShort(CRLF);
    }

    private static void writeResponseFields(ByteBuf out, HttpHeaders all, boolean keepContentLength) {
        List<String> nominated = ConnectionField.nominated(all);
        Iterator<Map.Entry<CharSequence, CharSequence>> fields = all.iteratorCharSequence();
        while (fields.hasNext()) {
            Map.Entry<CharSequence, CharSequence> field = fields.next();
            CharSequence name = field.getKey();
            boolean forwarded = HopByHop.isContentLength(name)
                    ? keepContentLength
                    : !HopByHop.isKnown(name) && !HopByHop.isNominated(nominated, name);
            if (forwarded) {
                writeField(out, name, field.getValue());
            }
        }
    }

    /** Nothing for a length that no field tells. */
    public static void writeFraming(ByteBuf out, long bodyLength) {
        if (bodyLength == BodyLength.CHUNKED) {
            write(out, CHUNKED);
        } else if (BodyLength.isKnown(bodyLength)) {
            write(out, CONTENT_LENGTH);
            writeDecimal(out, bodyLength);
            out.writeShort(CRLF);
        }
    }

    public static void writeConnection(ByteBuf out, ConnectionOption connection) {
        switch (connection) {
            case CLOSE -> write(out, CLOSE);
            case KEEP_ALIVE -> write(out, KEEP_ALIVE);
            case UPGRADE -> write(out, UPGRADE);
            case NONE -> {}
        }
    }

    public static void writeField(ByteBuf out, CharSequence name, CharSequence value) {
        write(out, name);
        out.writeShort(COLON_SPACE);
        write(out, value);
        out.writeShort(CRLF);
    }

    public static void endHead(ByteBuf out) {
        out.writeShort(CRLF);
    }

    /** The size line before a chunk's data; {@link #endHead} (a CRLF) follows the data. */
    public static void writeChunkSize(ByteBuf out, int size) {
        write(out, Integer.toHexString(size));
        out.writeShort(CRLF);
    }

    /**
     * The last chunk, the trailers that may be forwarded, and the end (RFC 9112 section 7.1).
     *
     * @param fields of the message's head
     */
    public static void writeLastChunk(ByteBuf out, @Nullable HttpHeaders trailers, HttpHeaders fields) {
        write(out, LAST_CHUNK);
        if (trailers != null && !trailers.isEmpty()) {
            List<String> nominated = ConnectionField.nominated(fields);
            trailers.iteratorCharSequence().forEachRemaining(field -> {
                if (mayTrail(field.getKey()) && !HopByHop.isNominated(nominated, field.getKey())) {
                    writeField(out, field.getKey(), field.getValue());
                }
            });
        }
        out.writeShort(CRLF);
    }

    /** Fields that framing, routing or authentication depend on never come in a trailer (RFC 9110 section 6.5.1). */
    private static boolean mayTrail(CharSequence name) {
        return !HopByHop.isKnown(name)
                && !HopByHop.isContentLength(name)
                && !HttpHeaderNames.HOST.contentEqualsIgnoreCase(name)
                && !HttpHeaderNames.TRAILER.contentEqualsIgnoreCase(name)
                && !HttpHeaderNames.AUTHORIZATION.contentEqualsIgnoreCase(name)
                && !HttpHeaderNames.PROXY_AUTHORIZATION.contentEqualsIgnoreCase(name)
                && !HttpHeaderNames.COOKIE.contentEqualsIgnoreCase(name)
                && !HttpHeaderNames.SET_COOKIE.contentEqualsIgnoreCase(name);
    }

    /** Without a String. @param number 0 or more */
    public static void writeDecimal(ByteBuf out, long number) {
        long divisor = 1;
        while (number / divisor >= 10) {
            divisor *= 10;
        }
        for (; divisor > 0; divisor /= 10) {
            out.writeByte('0' + (int) (number / divisor % 10));
        }
    }

    /** Text that holds whole field lines, or a part of one, ready as it is. */
    public static void writeText(ByteBuf out, AsciiString text) {
        write(out, text);
    }

    private static void write(ByteBuf out, CharSequence text) {
        if (text instanceof AsciiString ascii) {
            ByteBufUtil.copy(ascii, out);
        } else {
            ByteBufUtil.writeAscii(out, text);
        }
    }
}
