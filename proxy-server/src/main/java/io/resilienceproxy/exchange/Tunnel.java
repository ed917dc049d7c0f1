package io.resilienceproxy.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.resilienceproxy.http.ResponseHead;
import io.resilienceproxy.outcome.FailureKind;
import io.resilienceproxy.pool.Connection;
import io.resilienceproxy.pool.ResponseHandler;
import org.jspecify.annotations.Nullable;

/**
 * Two connections that have left HTTP (RFC 9110, section 7.8): bytes pass both ways until one side closes or both are
 * silent for {@link Downstream#tunnelIdleNanos()}. Each side is read only while the other takes what it is sent.
 *
 * <p>Owns the upstream's connection until it ends; the exchange keeps its permits. On the exchange's event loop.
 */
public final class Tunnel implements ResponseHandler {

    private final Exchange exchange;
    private final Downstream downstream;
    private final long idleNanos;
    private @Nullable Connection upstream;
    private long lastActivityNanos;

    Tunnel(Exchange exchange, Connection upstream) {
        this.exchange = exchange;
        this.downstream = exchange.downstream();
        this.idleNanos = downstream.tunnelIdleNanos();
        this.upstream = upstream;
        upstream.handler(this);
        touch();
        exchange.armPhase(lastActivityNanos + idleNanos);
    }

    /** Ownership passes; sent with the next {@link #onCallerReadComplete()}. */
    public void onCallerBytes(ByteBuf piece) {
        touch();
        if (upstream == null) {
            piece.release();
            return;
        }
        upstream.sendBody(piece);
        if (!upstream.isWritable()) {
            downstream.reading(false);
        }
    }

    /** All that one read of the caller brought has been delivered. */
    public void onCallerReadComplete() {
        if (upstream != null) {
            upstream.flush();
        }
    }

    /** The caller takes bytes again, or not. */
    public void onCallerWritability() {
        touch();
        if (upstream != null) {
            upstream.reading(downstream.isWritable());
        }
    }

    @Override
    public void onBody(ByteBuf piece) {
        downstream.body(piece);
        if (upstream != null && !downstream.isWritable()) {
            upstream.reading(false);
        }
    }

    @Override
    public void onReadComplete() {
        touch();
        downstream.flush();
    }

    @Override
    public void onWritabilityChanged() {
        touch();
        if (upstream != null) {
            downstream.reading(upstream.isWritable());
        }
    }

    @Override
    public void onEnd(@Nullable HttpHeaders trailers) {
        exchange.onTunnelEnded();
    }

    @Override
    public void onFailure(FailureKind kind, boolean anythingReceived) {
        upstream = null;
        exchange.onTunnelEnded();
    }

    /** The silence may be over by now: bytes since it was timed move its end. */
    void onTimer(long now) {
        long due = lastActivityNanos + idleNanos;
        if (due - now > 0) {
            exchange.armPhase(due);
        } else {
            exchange.onTunnelEnded();
        }
    }

    /** What was sent still arrives; nothing more passes. */
    void close() {
        if (upstream != null) {
            upstream.release();
            upstream = null;
        }
    }

    private void touch() {
        lastActivityNanos = exchange.now();
    }

    @Override
    public void onInformational(ResponseHead head) {
        throw unexpected();
    }

    @Override
    public void onHead(ResponseHead head) {
        throw unexpected();
    }

    @Override
    public void onUpgraded(ResponseHead head) {
        throw unexpected();
    }

    private static IllegalStateException unexpected() {
        return new IllegalStateException("a response head behind the end of HTTP");
    }
}
