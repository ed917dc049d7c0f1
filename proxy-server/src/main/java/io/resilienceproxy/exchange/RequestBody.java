package io.resilienceproxy.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.resilienceproxy.pool.Connection;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request on its way to the upstream: kept in memory up to a limit, so that another attempt can send it
 * again, and in any case until a connection is there to take it.
 *
 * <p>Owns the pieces it keeps; {@link #close()} releases them. Used on the exchange's event loop.
 */
final class RequestBody {

    /** While no connection is there, the caller is stopped behind this many bytes, whatever may be kept for a replay. */
    static final int MAX_UNSENT_BYTES = 64 * 1024;

    private final int maxKeptBytes;
    private @Nullable Queue<ByteBuf> kept;
    private long keptBytes;
    private boolean whole = true;
    private boolean ended;
    private @Nullable HttpHeaders trailers;
    private boolean closed;

    RequestBody(int maxReplayBytes) {
        this.maxKeptBytes = maxReplayBytes;
    }

    /** All that has come so far is still here: another attempt could send it. */
    boolean isWhole() {
        return whole;
    }

    /** The caller has sent all of it. */
    boolean hasEnded() {
        return ended;
    }

    boolean isFull() {
        return keptBytes >= MAX_UNSENT_BYTES;
    }

    /** The next piece, whose ownership passes. @param to the connection that has got all before it, or null */
    void add(ByteBuf piece, @Nullable Connection to) {
        if (closed) {
            piece.release();
            return;
        }
        if (to == null) {
            keep(piece);
            return;
        }
        if (whole && keptBytes + piece.readableBytes() <= maxKeptBytes) {
            keep(piece.retainedSlice());
        } else {
            forget();
        }
        to.sendBody(piece);
    }

    void end(@Nullable HttpHeaders trailing, @Nullable Connection to) {
        ended = true;
        trailers = trailing;
        if (to != null) {
            to.sendEnd(trailing);
        }
    }

    /** Sends what has come so far on a fresh connection. */
    void sendTo(Connection to) {
        if (kept != null) {
            kept.forEach(piece -> to.sendBody(piece.retainedSlice()));
        }
        if (keptBytes > maxKeptBytes) {
            forget();
        }
        if (ended) {
            to.sendEnd(trailers);
        }
    }

    /** Nothing more is needed; what still comes is dropped. */
    void close() {
        closed = true;
        forget();
    }

    private void keep(ByteBuf piece) {
        if (kept == null) {
            kept = new ArrayDeque<>(2);
        }
        keptBytes += piece.readableBytes();
        kept.add(piece);
    }

    private void forget() {
        whole = false;
        keptBytes = 0;
        if (kept != null) {
            kept.forEach(ByteBuf::release);
            kept = null;
        }
    }
}
