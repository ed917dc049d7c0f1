package io.resilienceproxy.load;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Finds where a response ends: just enough HTTP/1.1 for answers to GET that have a Content-Length or are chunked. Cheap, so that the
 * generator leaves the core it shares to the upstream. One per connection, used for one response after the other.
 */
final class ResponseScanner {

    private static final byte LF = '\n';
    private static final int MIN_STATUS_LINE = 12;
    private static final int STATUS_AT = 9;

    // Colon and hyphen have the bit of lower case as well.
    private static final int LOWER_CASE = 0x20;
    private static final byte[] CONTENT_LENGTH = ascii("content-length:");
    private static final byte[] CONNECTION = ascii("connection:");
    private static final byte[] CLOSE = ascii("close");
    private static final byte[] CHUNKED = ascii("chunked");
    private static final byte[] TRANSFER_ENCODING = ascii("transfer-encoding:");

    private enum State {
        STATUS_LINE,
        FIELDS,
        BODY,
        CHUNK_SIZE,
        CHUNK,
        TRAILERS
    }

    private State state = State.STATUS_LINE;
    private int status;
    private boolean chunked;
    private long bodyLeft;
    private boolean close;

    int status() {
        return status;
    }

    /** The response said that its connection ends with it. */
    boolean isLast() {
        return close;
    }

    /**
     * Takes what has arrived, as far as it belongs to the response and its line is whole.
     *
     * @return whether the response is complete
     * @throws IllegalArgumentException when it is not HTTP/1.1
     */
    boolean scan(ByteBuf in) {
        while (in.isReadable()) {
            if (state == State.BODY || state == State.CHUNK) {
                int taken = (int) Math.min(bodyLeft, in.readableBytes());
                in.skipBytes(taken);
                bodyLeft -= taken;
                if (bodyLeft > 0) {
                    return false;
                }
                if (state == State.BODY) {
                    return complete();
                }
                state = State.CHUNK_SIZE;
            } else {
                int length = in.bytesBefore(LF);
                if (length < 0) {
                    return false;
                }
                boolean complete = line(in, in.readerIndex(), length);
                in.skipBytes(length + 1);
                if (complete) {
                    return complete();
                }
            }
        }
        return false;
    }

    private boolean complete() {
        state = State.STATUS_LINE;
        return true;
    }

    private boolean line(ByteBuf in, int start, int length) {
        boolean empty = length <= 1;
        switch (state) {
            case STATUS_LINE -> statusLine(in, start, length);
            case FIELDS -> {
                if (empty) {
                    return headEnds();
                }
                field(in, start, length);
            }
            case CHUNK_SIZE -> chunkSize(in, start, length);
            case TRAILERS -> {
                return empty;
            }
            default -> throw new IllegalStateException(state.name());
        }
        return false;
    }

    private void statusLine(ByteBuf in, int start, int length) {
        if (length < MIN_STATUS_LINE || in.getByte(start) != 'H') {
            throw new IllegalArgumentException("not a status line: " + text(in, start, length));
        }
        status = digit(in, start + STATUS_AT) * 100
                + digit(in, start + STATUS_AT + 1) * 10
                + digit(in, start + STATUS_AT + 2);
        chunked = false;
        close = false;
        bodyLeft = 0;
        state = State.FIELDS;
    }

    private boolean headEnds() {
        if (chunked) {
            state = State.CHUNK_SIZE;
            return false;
        }
        state = State.BODY;
        return bodyLeft == 0;
    }

    /** Without making text of it: the generator leaves no garbage while it measures. */
    private void field(ByteBuf in, int start, int length) {
        switch (in.getByte(start) | LOWER_CASE) {
            case 'c' -> {
                if (startsWith(in, start, length, CONTENT_LENGTH)) {
                    bodyLeft = number(in, start + CONTENT_LENGTH.length, start + length);
                } else if (startsWith(in, start, length, CONNECTION)) {
                    close = endsWith(in, start, length, CLOSE);
                }
            }
            case 't' ->
                chunked |= startsWith(in, start, length, TRANSFER_ENCODING) && endsWith(in, start, length, CHUNKED);
            default -> {}
        }
    }

    private static boolean startsWith(ByteBuf in, int start, int length, byte[] name) {
        return length >= name.length && matches(in, start, name);
    }

    /** White space at the end, the CR included, does not count. */
    private static boolean endsWith(ByteBuf in, int start, int length, byte[] value) {
        int end = start + length;
        while (end > start && in.getByte(end - 1) <= ' ') {
            end--;
        }
        return end - start >= value.length && matches(in, end - value.length, value);
    }

    private static boolean matches(ByteBuf in, int at, byte[] lowerCase) {
        for (int i = 0; i < lowerCase.length; i++) {
            if ((in.getByte(at + i) | LOWER_CASE) != lowerCase[i]) {
                return false;
            }
        }
        return true;
    }

    private static long number(ByteBuf in, int from, int to) {
        long value = 0;
        for (int i = from; i < to; i++) {
            int digit = digit(in, i);
            if (digit >= 0 && digit <= 9) {
                value = value * 10 + digit;
            }
        }
        return value;
    }

    /** The line break behind a chunk comes here too, as an empty line. */
    private void chunkSize(ByteBuf in, int start, int length) {
        String text = text(in, start, length).strip();
        if (text.isEmpty()) {
            return;
        }
        bodyLeft = Long.parseLong(text.split(";", 2)[0].strip(), 16);
        state = bodyLeft == 0 ? State.TRAILERS : State.CHUNK;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static int digit(ByteBuf in, int at) {
        return in.getByte(at) - '0';
    }

    private static String text(ByteBuf in, int start, int length) {
        return in.toString(start, length, StandardCharsets.ISO_8859_1);
    }
}
