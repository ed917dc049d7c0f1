package io.resilienceproxy.listener;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.resilienceproxy.exchange.Tunnel;

/**
 * The caller's side of a tunnel: stands before its {@link InboundConnection} once the connection has left HTTP, and takes
 * every byte from it. How the connection ends stays with that one.
 *
 * <p>On the connection's event loop.
 */
final class InboundTunnel extends ChannelInboundHandlerAdapter {

    private final InboundConnection connection;
    private final Tunnel tunnel;

    InboundTunnel(InboundConnection connection, Tunnel tunnel) {
        this.connection = connection;
        this.tunnel = tunnel;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (connection.isClosing() || !(message instanceof ByteBuf piece)) {
            ctx.fireChannelRead(message);
            return;
        }
        tunnel.onCallerBytes(piece);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        tunnel.onCallerReadComplete();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        tunnel.onCallerWritability();
        ctx.fireChannelWritabilityChanged();
    }
}
