package io.resilienceproxy.http;

import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.AsciiString;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a decoded request must satisfy before anything is done with it (RFC 9112 sections 2 to 7), and its framing. What
 * is ambiguous is refused: a guess here is a hole when the upstream guesses otherwise.
 *
 * <p>Used by one connection at a time, on its event loop: {@link #read} returns the head or leaves a {@link #fault()}.
 */
public final class RequestHeads {

    /** More fields than this are refused with 431, so that a small head cannot cost much work. */
    public static final int MAX_FIELDS = 200;

    private static final String HTTP_SCHEME = "http://";

    private final int maxHeadBytes;
    private @Nullable RequestFault fault;

    /** @param maxHeadBytes of the request line and the fields together, without their line ends */
    public RequestHeads(int maxHeadBytes) {
        this.maxHeadBytes = maxHeadBytes;
    }

    /** Why the last {@link #read} returned null. */
    public RequestFault fault() {
        if (fault == null) {
            throw new IllegalStateException("the last head was read");
        }
        return fault;
    }

    /** The head, or null: then {@link #fault()} says why, and the connection must be closed behind the answer. */
    public @Nullable RequestHead read(HttpRequest request) {
        fault = checkDecoded(request);
        if (fault == null) {
            fault = checkFields(request);
        }
        return fault == null ? head(request) : null;
    }

    private @Nullable RequestFault checkDecoded(HttpRequest request) {
        if (request.decoderResult().isFailure()) {
            return decoderFault(request.decoderResult().cause());
        }
        HttpVersion version = request.protocolVersion();
        if (version != HttpVersion.HTTP_1_1 && version != HttpVersion.HTTP_1_0) {
            return new RequestFault(RequestFault.Kind.VERSION_NOT_SUPPORTED, "Only HTTP/1.0 and HTTP/1.1 are spoken.");
        }
        boolean tooLarge = request.decoderResult() instanceof io.netty.handler.codec.http.HttpMessageDecoderResult size
                && size.initialLineLength() + size.headerSize() > maxHeadBytes;
        if (tooLarge || request.headers().size() > MAX_FIELDS) {
            return new RequestFault(
                    RequestFault.Kind.HEADERS_TOO_LARGE, "The header fields are too large or too many.");
        }
        return null;
    }

    private static RequestFault decoderFault(Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            return new RequestFault(RequestFault.Kind.TARGET_TOO_LONG, "The request line is too long.");
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return new RequestFault(RequestFault.Kind.HEADERS_TOO_LARGE, "The header fields are too large.");
        }
        return RequestFault.bad(
                cause instanceof DecoderException
                        ? "The request could not be decoded."
                        : "The request line, a field or the framing is malformed.");
    }

    private static @Nullable RequestFault checkFields(HttpRequest request) {
        HttpHeaders fields = request.headers();
        if (!Tokens.isToken(request.method().name())) {
            return RequestFault.bad("The method is not a token.");
        }
        if (request.method().name().equals("CONNECT")) {
            return new RequestFault(RequestFault.Kind.NOT_IMPLEMENTED, "CONNECT is not supported.");
        }
        RequestFault host = checkHost(request, fields);
        if (host != null) {
            return host;
        }
        RequestFault coding = checkTransferEncoding(FieldLines.of(fields, HttpHeaderNames.TRANSFER_ENCODING));
        if (coding != null) {
            return coding;
        }
        if (!expectsNothingElse(FieldLines.of(fields, HttpHeaderNames.EXPECT))) {
            return new RequestFault(RequestFault.Kind.EXPECTATION_FAILED, "Only 100-continue can be expected.");
        }
        if (MaxForwards.isMalformed(request.method().name(), fields)) {
            return RequestFault.bad("Max-Forwards is not one number.");
        }
        return checkTarget(request.method().name(), request.uri());
    }

    private static boolean expectsNothingElse(List<String> expectations) {
        for (String expectation : expectations) {
            if (!AsciiString.contentEqualsIgnoreCase("100-continue", expectation)) {
                return false;
            }
        }
        return true;
    }

    private static @Nullable RequestFault checkHost(HttpRequest request, HttpHeaders fields) {
        String host = fields.get(HttpHeaderNames.HOST);
        boolean missing = host == null && request.protocolVersion() == HttpVersion.HTTP_1_1;
        if (missing || host != null && FieldLines.areSeveral(fields, HttpHeaderNames.HOST)) {
            return RequestFault.bad("Exactly one Host field is required.");
        }
        boolean valid = host == null || Tokens.isAuthority(host);
        return valid ? null : RequestFault.bad("The Host field is not a host and port.");
    }

    private static @Nullable RequestFault checkTransferEncoding(List<String> codings) {
        if (codings.isEmpty()) {
            return null;
        }
        if (codings.size() == 1 && AsciiString.contentEqualsIgnoreCase("chunked", codings.get(0))) {
            return null;
        }
        return new RequestFault(
                RequestFault.Kind.NOT_IMPLEMENTED, "The only transfer coding that is understood is chunked, once.");
    }

    private static @Nullable RequestFault checkTarget(String method, String target) {
        if (!Tokens.isTarget(target)) {
            return RequestFault.bad("The request target holds a character that may not stand there.");
        }
        if (target.startsWith("/") || target.equals("*") && method.equals("OPTIONS")) {
            return null;
        }
        if (!target.regionMatches(true, 0, HTTP_SCHEME, 0, HTTP_SCHEME.length())) {
            return RequestFault.bad("The request target is neither a path nor an absolute http URI.");
        }
        return Tokens.isAuthority(target.substring(HTTP_SCHEME.length(), authorityEnd(target)))
                ? null
                : RequestFault.bad("The authority of the request target is not a host and port.");
    }

    private static int authorityEnd(String target) {
        int end = HTTP_SCHEME.length();
        while (end < target.length() && target.charAt(end) != '/' && target.charAt(end) != '?') {
            end++;
        }
        return end;
    }

    private static RequestHead head(HttpRequest request) {
        String method = request.method().name();
        String target = request.uri();
        String authority = null;
        if (!target.startsWith("/") && !target.equals("*")) {
            int end = authorityEnd(target);
            authority = target.substring(HTTP_SCHEME.length(), end).toLowerCase(Locale.ROOT);
            target = pathOf(method, target, end);
        }
        HttpHeaders fields = request.headers();
        boolean http11 = request.protocolVersion() == HttpVersion.HTTP_1_1;
        long bodyLength = bodyLength(fields);
        return new RequestHead(
                method,
                target,
                authority,
                fields,
                http11 ? 1 : 0,
                bodyLength,
                ConnectionField.keepAlive(fields, http11),
                http11 && fields.contains(HttpHeaderNames.EXPECT),
                http11 && bodyLength <= 0 && bodyLength != BodyLength.CHUNKED && asksForWebSocket(method, fields));
    }

    /** Other protocols are not forwarded: the fields that ask for them end here, and the request is served as HTTP/1.1. */
    private static boolean asksForWebSocket(String method, HttpHeaders fields) {
        return fields.contains(HttpHeaderNames.UPGRADE)
                && method.equals("GET")
                && fields.containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true)
                && fields.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true);
    }

    /** What is sent on of an absolute-form target: an empty path becomes {@code /}, or {@code *} (RFC 9112 section 3.2.4). */
    private static String pathOf(String method, String target, int authorityEnd) {
        if (authorityEnd == target.length()) {
            return method.equals("OPTIONS") ? "*" : "/";
        }
        return target.charAt(authorityEnd) == '?'
                ? "/" + target.substring(authorityEnd)
                : target.substring(authorityEnd);
    }

    /** The decoder has refused what is ambiguous: both fields, several values, a malformed number. */
    private static long bodyLength(HttpHeaders fields) {
        if (fields.contains(HttpHeaderNames.TRANSFER_ENCODING)) {
            return BodyLength.CHUNKED;
        }
        String length = fields.get(HttpHeaderNames.CONTENT_LENGTH);
        return length == null ? BodyLength.ABSENT : Long.parseLong(length);
    }
}
