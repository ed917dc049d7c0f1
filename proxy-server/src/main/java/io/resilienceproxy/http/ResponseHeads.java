package io.resilienceproxy.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an upstream's response must satisfy before any of it is relayed, and its framing (RFC 9112 sections 4 and 6). */
public final class ResponseHeads {

    private ResponseHeads() {}

    /**
     * The head, or null when this is not a response that may be relayed.
     *
     * @param toHead it answers a HEAD request
     */
    public static @Nullable ResponseHead read(HttpResponse response, boolean toHead) {
        if (response.decoderResult().isFailure()) {
            return null;
        }
        boolean http11 = response.protocolVersion() == HttpVersion.HTTP_1_1;
        int status = response.status().code();
        boolean known = http11 || response.protocolVersion() == HttpVersion.HTTP_1_0;
        if (!known || status < 100 || status > 599) {
            return null;
        }
        HttpHeaders fields = response.headers();
        List<String> codings = FieldLines.of(fields, HttpHeaderNames.TRANSFER_ENCODING);
        boolean chunked = !codings.isEmpty();
        if (chunked && (codings.size() > 1 || !AsciiString.contentEqualsIgnoreCase("chunked", codings.get(0)))) {
            return null;
        }
        long length = bodyLength(status, toHead, chunked, fields);
        boolean keepAlive = length != BodyLength.UNTIL_CLOSE && ConnectionField.keepAlive(fields, http11);
        return new ResponseHead(status, response.status().reasonPhrase(), fields, length, keepAlive);
    }

    private static long bodyLength(int status, boolean toHead, boolean chunked, HttpHeaders fields) {
        if (toHead || status < 200 || status == 204 || status == 304) {
            return BodyLength.ABSENT;
        }
        if (chunked) {
            return BodyLength.CHUNKED;
        }
        String length = fields.get(HttpHeaderNames.CONTENT_LENGTH);
        return length == null ? BodyLength.UNTIL_CLOSE : Long.parseLong(length);
    }
}
