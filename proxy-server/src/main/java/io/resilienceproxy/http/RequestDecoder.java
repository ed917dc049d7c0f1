package io.resilienceproxy.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AsciiString;
import java.util.List;

/** Netty's request decoder, strict, which also tells whether the beginning of a head has arrived. */
public final class RequestDecoder extends HttpRequestDecoder {

    private final StartLine startLine = new StartLine();
    private boolean insideHead;
    private boolean insideBody;
    private boolean held;

    /** @param maxHeadBytes for the request line and for the fields, each; their sum is checked by {@link RequestHeads} */
    public RequestDecoder(int maxHeadBytes) {
        super(new HttpDecoderConfig()
                .setMaxInitialLineLength(maxHeadBytes)
                .setMaxHeaderSize(maxHeadBytes)
                .setStrictLineParsing(true)
                .setUseRfc9112TransferEncoding(true));
    }

    /** From now on nothing more is decoded: what comes may not be HTTP. Bytes are kept. */
    public void hold() {
        held = true;
    }

    public boolean isHeld() {
        return held;
    }

    /**
     * It is HTTP after all: goes on with what was kept.
     *
     * @param decoding a message of this decoder is being delivered: it goes on by itself
     */
    public void resume(ChannelHandlerContext ctx, boolean decoding) throws Exception {
        held = false;
        if (!decoding) {
            channelRead(ctx, Unpooled.EMPTY_BUFFER);
        }
    }

    /** The first byte of a head has arrived and its last one has not. */
    public boolean isInsideHead() {
        return insideHead;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        if (held) {
            return;
        }
        insideHead = !insideBody;
        int before = out.size();
        super.decode(ctx, in, out);
        for (int i = before; i < out.size(); i++) {
            Object message = out.get(i);
            if (message instanceof HttpRequest) {
                insideHead = false;
                insideBody = true;
            }
            if (message instanceof LastHttpContent) {
                insideBody = false;
            }
        }
    }

    @Override
    protected AsciiString splitHeaderName(byte[] line, int start, int length) {
        AsciiString common = FieldNames.common(line, start, length);
        return common == null ? super.splitHeaderName(line, start, length) : common;
    }

    @Override
    protected String splitFirstWordInitialLine(byte[] line, int start, int length) {
        startLine.firstWord(line, start, length);
        return super.splitFirstWordInitialLine(line, start, length);
    }

    @Override
    protected String splitSecondWordInitialLine(byte[] line, int start, int length) {
        startLine.middleWord(line, start, length);
        return super.splitSecondWordInitialLine(line, start, length);
    }

    @Override
    protected String splitThirdWordInitialLine(byte[] line, int start, int length) {
        startLine.lastWord(start);
        StartLine.version(line, start, length);
        return super.splitThirdWordInitialLine(line, start, length);
    }
}
