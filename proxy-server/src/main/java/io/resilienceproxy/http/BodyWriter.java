package io.resilienceproxy.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;

/** Writes the pieces and the end of a body under the framing that its head announced; flushes nothing. */
public final class BodyWriter {

    /** A size line and its end. */
    private static final int CHUNK_FRAME_BYTES = 16;

    private BodyWriter() {}

    /** Ownership of the piece passes. */
    public static void writePiece(Channel to, ByteBuf piece, boolean chunked) {
        int size = piece.readableBytes();
        if (size == 0) {
            piece.release();
            return;
        }
        if (!chunked) {
            to.write(piece, to.voidPromise());
            return;
        }
        ByteBuf start = to.alloc().buffer(CHUNK_FRAME_BYTES);
        HeadWriter.writeChunkSize(start, size);
        to.write(start, to.voidPromise());
        to.write(piece, to.voidPromise());
        ByteBuf end = to.alloc().buffer(2);
        HeadWriter.endHead(end);
        to.write(end, to.voidPromise());
    }

    /** @param fields of the message's head: those that its Connection field nominates end at this hop as trailers too */
    public static void writeEnd(Channel to, @Nullable HttpHeaders trailers, HttpHeaders fields, boolean chunked) {
        if (chunked) {
            ByteBuf last = to.alloc().buffer(CHUNK_FRAME_BYTES);
            HeadWriter.writeLastChunk(last, trailers, fields);
            to.write(last, to.voidPromise());
        }
    }
}
