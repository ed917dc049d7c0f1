package io.resilienceproxy.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The head of an upstream's response that has passed {@link ResponseHeads}.
 *
 * @param status 100 to 599
 * @param reasonPhrase may be empty
 * @param bodyLength a number of bytes, {@link BodyLength#ABSENT}, {@link BodyLength#CHUNKED} or
 *     {@link BodyLength#UNTIL_CLOSE}; ABSENT for answers to HEAD, 1xx, 204 and 304, whatever their fields say
 * @param keepAlive the connection may carry another request behind this response
 */
public record ResponseHead(int status, String reasonPhrase, HttpHeaders fields, long bodyLength, boolean keepAlive) {

    /** The fields that are the caller's too, in their order: those that end at this hop are left out; Content-Length is not. */
    public void forEachEndToEnd(BiConsumer<CharSequence, CharSequence> action) {
        List<String> nominated = ConnectionField.nominated(fields);
        fields.iteratorCharSequence().forEachRemaining(field -> {
            if (!HopByHop.isKnown(field.getKey()) && !HopByHop.isNominated(nominated, field.getKey())) {
                action.accept(field.getKey(), field.getValue());
            }
        });
    }

    /** More follows under the same request; 101 is the last that is HTTP. */
    public boolean isInformational() {
        return status < 200;
    }

    /** The upstream agrees to leave HTTP for the WebSocket protocol. */
    public boolean isWebSocket() {
        return status == 101 && fields.containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true);
    }
}
