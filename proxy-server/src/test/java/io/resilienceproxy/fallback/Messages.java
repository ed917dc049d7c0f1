package io.resilienceproxy.fallback;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.resilienceproxy.http.BodyLength;
import io.resilienceproxy.http.RequestHead;
import io.resilienceproxy.http.ResponseHead;
import java.nio.charset.StandardCharsets;

/** Heads with fields given as {@code "Name: value"}, and whole answers put into a store. */
final class Messages {

    private Messages() {}

    static RequestHead request(String method, String target, String... fields) {
        return new RequestHead(method, target, null, headers(fields), 1, BodyLength.ABSENT, true, false, false);
    }

    static RequestHead get(String target, String... fields) {
        return request("GET", target, fields);
    }

    static ResponseHead response(int status, long length, String... fields) {
        return new ResponseHead(status, "OK", headers(fields), length, true);
    }

    static HttpHeaders headers(String... fields) {
        HttpHeaders headers = new DefaultHttpHeaders();
        for (String field : fields) {
            int colon = field.indexOf(':');
            headers.add(field.substring(0, colon), field.substring(colon + 1).strip());
        }
        return headers;
    }

    /** Relays a whole answer past the store; whether it was taken. */
    static boolean answer(AnswerStore store, AnswerKeys keys, RequestHead request, ResponseHead head, String body) {
        AnswerCapture capture = store.capture(keys, request, 0, head, store.now(), why -> {});
        if (capture == null) {
            return false;
        }
        ByteBuf bytes = Unpooled.copiedBuffer(body, StandardCharsets.UTF_8);
        while (bytes.isReadable()) {
            capture.add(bytes.readSlice(Math.min(7, bytes.readableBytes())));
        }
        capture.complete(null);
        return true;
    }

    static boolean answer(AnswerStore store, AnswerKeys keys, RequestHead request, String body, String... fields) {
        return answer(store, keys, request, response(200, body.length(), fields), body);
    }

    static String body(StoredAnswer answer) {
        return answer.body().toString(StandardCharsets.UTF_8);
    }
}
