package io.resilienceproxy.http;

import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request that has passed {@link RequestHeads}. Fields are as received, in their order; the framing ones
 * among them count no more: {@code bodyLength} holds.
 *
 * @param method a token
 * @param target origin-form as received, or {@code *}; of an absolute-form target what follows the authority
 * @param authority of an absolute-form target, else null
 * @param minorVersion of HTTP/1: 0 or 1
 * @param bodyLength a number of bytes, {@link BodyLength#ABSENT} or {@link BodyLength#CHUNKED}
 * @param keepAlive the caller does not mean to close the connection behind this request
 * @param expectsContinue the caller waits for a 100 before it sends the body
 * @param webSocket the caller asks to leave HTTP for the WebSocket protocol (RFC 6455 section 4.1)
 */
public record RequestHead(
        String method,
        String target,
        @Nullable String authority,
        HttpHeaders fields,
        int minorVersion,
        long bodyLength,
        boolean keepAlive,
        boolean expectsContinue,
        boolean webSocket) {

    public boolean isHead() {
        return method.equals("HEAD");
    }

    /** Whether a field of that name reaches the upstream: one that Connection nominates ends at this hop. */
    public boolean forwards(String field) {
        return !HopByHop.isNominated(ConnectionField.nominated(fields), field);
    }

    /** HTTP/1.0 knows neither chunks nor interim responses. */
    public boolean isHttp11() {
        return minorVersion == 1;
    }
}
