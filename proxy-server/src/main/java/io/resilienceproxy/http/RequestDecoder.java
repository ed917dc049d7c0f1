package io.resilienceproxy.http;

import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;

/** Netty's request decoder, strict, which also tells whether it holds the beginning of a message. */
public final class RequestDecoder extends HttpRequestDecoder {

    /** @param maxHeadBytes for the request line and for the fields, each; their sum is checked by {@link RequestHeads} */
    public RequestDecoder(int maxHeadBytes) {
        super(new HttpDecoderConfig()
                .setMaxInitialLineLength(maxHeadBytes)
                .setMaxHeaderSize(maxHeadBytes)
                .setStrictLineParsing(true)
                .setUseRfc9112TransferEncoding(true));
    }

    /** Bytes that have arrived and are not part of any decoded message yet. */
    public boolean holdsBytes() {
        return actualReadableBytes() > 0;
    }
}
