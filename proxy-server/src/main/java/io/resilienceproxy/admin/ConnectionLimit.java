package io.resilienceproxy.admin;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Closes connections beyond a number at once. Used on the single admin event loop only. */
@Sharable
final class ConnectionLimit extends ChannelInboundHandlerAdapter {

    private final int limit;
    private int open;

    ConnectionLimit(int limit) {
        this.limit = limit;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        open++;
        if (open > limit) {
            context.close();
        } else {
            context.fireChannelActive();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        open--;
        context.fireChannelInactive();
    }
}
