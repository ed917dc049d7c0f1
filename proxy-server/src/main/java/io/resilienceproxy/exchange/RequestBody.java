package io.resilienceproxy.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.resilienceproxy.pool.Connection;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request on its way to the upstream: passed on as it comes while a connection is attached, kept in memory up
 * to a limit so that another attempt can send it again, and kept in any case until a connection is there to take it. The
 * caller is stopped whenever there is no room for more.
 *
 * <p>Owns the pieces it keeps; {@link #close()} releases them. Used on the exchange's event loop.
 */
final class RequestBody {

    /** While no connection is there, the caller is stopped behind this many bytes, whatever may be kept for a replay. */
    static final int MAX_UNSENT_BYTES = 64 * 1024;

    private final Downstream downstream;
    private final int maxKeptBytes;
    private @Nullable Queue<ByteBuf> kept;
    private long keptBytes;
    private boolean whole = true;
    private boolean ended;
    private @Nullable HttpHeaders trailers;
    private @Nullable Connection to;
    private boolean closed;
    private boolean begun;

    RequestBody(Downstream downstream, int maxReplayBytes) {
        this.downstream = downstream;
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

    /** The upstream would take more, and the caller owes it. */
    boolean waitsForCaller() {
        return !ended && to != null && to.isWritable();
    }

    /** Anything of it has come. */
    boolean hasBegun() {
        return begun;
    }

    /** The next piece, whose ownership passes. */
    void add(ByteBuf piece) {
        begun = true;
        if (closed) {
            piece.release();
            return;
        }
        if (to == null) {
            keep(piece);
        } else {
            keepForReplay(piece);
            to.sendBody(piece);
        }
        if (to == null ? keptBytes >= MAX_UNSENT_BYTES : !to.isWritable()) {
            downstream.reading(false);
        }
    }

    private void keepForReplay(ByteBuf piece) {
        if (whole && keptBytes + piece.readableBytes() <= maxKeptBytes) {
            keep(piece.retainedSlice());
        } else {
            forget();
        }
    }

    void end(@Nullable HttpHeaders trailing) {
        ended = true;
        trailers = trailing;
        if (to != null) {
            to.sendEnd(trailing);
        }
    }

    /** Sends what has come so far on a connection that has just got the head, and from now on what follows. */
    void attach(Connection connection) {
        to = connection;
        if (kept != null) {
            kept.forEach(piece -> connection.sendBody(piece.retainedSlice()));
        }
        if (keptBytes > maxKeptBytes) {
            forget();
        }
        if (ended) {
            connection.sendEnd(trailers);
        }
        flushUnlessMoreFollows();
        resume();
    }

    /** One write for what one read of the caller brings: its end flushes. */
    private void flushUnlessMoreFollows() {
        if (!downstream.isDelivering()) {
            flush();
        }
    }

    /** The connection is gone, or no more of the body may go there. */
    void detach() {
        to = null;
    }

    void flush() {
        if (to != null) {
            to.flush();
        }
    }

    /** The upstream takes more again, or not. */
    void resume() {
        if (to != null && to.isWritable()) {
            downstream.reading(true);
        }
    }

    /** Nothing more is needed; what still comes is dropped. */
    void close() {
        closed = true;
        to = null;
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
