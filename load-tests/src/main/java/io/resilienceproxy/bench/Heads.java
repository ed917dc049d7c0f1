package io.resilienceproxy.bench;

import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaders;
import io.resilienceproxy.http.BodyLength;
import io.resilienceproxy.http.RequestHead;
import io.resilienceproxy.http.ResponseHead;

/** Heads as common clients and servers send them. */
final class Heads {

    private Heads() {}

    static RequestHead get(String target) {
        HttpHeaders fields = DefaultHttpHeadersFactory.headersFactory().newHeaders();
        fields.add("Host", "localhost:8480")
                .add("User-Agent", "client/1.0")
                .add("Accept", "application/json")
                .add("Accept-Encoding", "gzip")
                .add("X-Request-Deadline-Ms", "3000");
        return new RequestHead("GET", target, null, fields, 1, BodyLength.ABSENT, true, false, false);
    }

    static ResponseHead ok() {
        HttpHeaders fields = DefaultHttpHeadersFactory.headersFactory().newHeaders();
        fields.add("Server", "nginx/1.22.1")
                .add("Date", "Mon, 30 Nov 2026 21:53:11 GMT")
                .add("Content-Type", "application/json")
                .add("Content-Length", "133")
                .add("Connection", "keep-alive");
        return new ResponseHead(200, "OK", fields, 133, true);
    }
}
