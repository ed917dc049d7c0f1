package io.resilienceproxy.tls;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.io.EOFException;
import javax.net.ssl.SSLException;

/**
 * Stands right behind TLS and tells those behind it how the connection ended. An end without close_notify may have been
 * cut there by anyone on the way (RFC 8446 section 6.1): it is shown as a failure before the channel goes inactive, so
 * that nothing is taken for whole that only its end makes whole.
 */
final class TlsEnd extends ChannelInboundHandlerAdapter {

    private static final EOFException CUT_OFF = new EOFException("the connection ended without close_notify") {
        @Override
        public Throwable fillInStackTrace() {
            return this;
        }
    };

    private boolean established;
    private boolean told;

    /** The handshake is over; before that, whoever waits for it is told and nobody else. */
    void established() {
        established = true;
    }

    /** The upstream sends nothing more: that it leaves the connection open is of no use to anyone. */
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof SslCloseCompletionEvent end) {
            if (end.isSuccess()) {
                told = true;
                ctx.close();
            }
            return;
        }
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!established) {
            return;
        }
        boolean tls = cause instanceof SSLException || cause.getCause() instanceof SSLException;
        told |= tls;
        ctx.fireExceptionCaught(tls ? TlsFailure.of(cause) : cause);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (established && !told) {
            ctx.fireExceptionCaught(CUT_OFF);
        }
        ctx.fireChannelInactive();
    }
}
