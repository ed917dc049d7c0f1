package io.resilienceproxy.http;

import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.util.AsciiString;

/**
 * Netty's response decoder for one request at a time: it knows whether an answer to HEAD is due, and refuses a field name
 * that is followed by anything but its colon, of which Netty would take the first word.
 *
 * <p>Owned by one connection, on its event loop.
 */
public final class ResponseDecoder extends HttpResponseDecoder {

    /** Heads of responses may be four times as large as those of requests may be by default. */
    public static final int MAX_HEAD_BYTES = 64 * 1024;

    private final StartLine startLine = new StartLine();
    private boolean toHead;
    private boolean insideHead;

    public ResponseDecoder() {
        super(new HttpDecoderConfig()
                .setMaxInitialLineLength(MAX_HEAD_BYTES)
                .setMaxHeaderSize(MAX_HEAD_BYTES)
                .setAllowDuplicateContentLengths(true)
                .setStrictLineParsing(true)
                .setUseRfc9112TransferEncoding(true));
    }

    /** To be called before each request is sent. */
    public void expectAnswerTo(boolean headRequest) {
        toHead = headRequest;
    }

    /** Bytes of another message behind the last decoded one, be it the beginning of its first line: more than was asked for. */
    public boolean hasBegunAnother() {
        return insideHead || actualReadableBytes() > 0;
    }

    @Override
    protected HttpMessage createMessage(String[] initialLine) {
        insideHead = true;
        return super.createMessage(initialLine);
    }

    @Override
    protected boolean isContentAlwaysEmpty(HttpMessage message) {
        insideHead = false;
        int status =
                message instanceof HttpResponse response ? response.status().code() : 0;
        return toHead && status >= 200 || status == 101 || super.isContentAlwaysEmpty(message);
    }

    @Override
    protected AsciiString splitHeaderName(byte[] line, int start, int length) {
        if (line[start + length] != ':') {
            throw new IllegalArgumentException("field name is not followed by a colon");
        }
        AsciiString common = FieldNames.common(line, start, length);
        return common == null ? super.splitHeaderName(line, start, length) : common;
    }

    @Override
    protected String splitFirstWordInitialLine(byte[] line, int start, int length) {
        startLine.firstWord(line, start, length);
        StartLine.version(line, start, length);
        return super.splitFirstWordInitialLine(line, start, length);
    }

    /** Three digits; a missing reason phrase may take its space along. */
    @Override
    protected String splitSecondWordInitialLine(byte[] line, int start, int length) {
        startLine.lastWord(start);
        if (length != 3) {
            throw new IllegalArgumentException("status code is not three digits");
        }
        return super.splitSecondWordInitialLine(line, start, length);
    }
}
