package io.resilienceproxy.load;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * An upstream that is alive and useless: it answers each GET after a delay. It runs on the event loop of the generator, because a
 * process of its own would take the core from it and from the healthy upstream, and the proxy would be blamed for that.
 */
final class SlowUpstream extends SimpleChannelInboundHandler<ByteBuf> {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final int BACKLOG = 1024;
    private static final ByteBuf ANSWER = Unpooled.unreleasableBuffer(Unpooled.directBuffer()
            .writeBytes("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate".getBytes(StandardCharsets.US_ASCII)));
    private static final int HEAD_END = '\r' << 24 | '\n' << 16 | '\r' << 8 | '\n';

    private final long delayNanos;
    private int lastFour;

    private SlowUpstream(long delayNanos) {
        this.delayNanos = delayNanos;
    }

    static void listen(EventLoop loop, int port, double delaySeconds) throws InterruptedException {
        long delayNanos = (long) (delaySeconds * NANOS_PER_SECOND);
        new ServerBootstrap()
                .group(loop)
                .channel(EpollServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new SlowUpstream(delayNanos));
                    }
                })
                .bind("127.0.0.1", port)
                .sync();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf in) {
        while (in.isReadable()) {
            lastFour = lastFour << Byte.SIZE | in.readByte();
            if (lastFour == HEAD_END) {
                ctx.executor().schedule(() -> ctx.writeAndFlush(ANSWER.duplicate()), delayNanos, TimeUnit.NANOSECONDS);
            }
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }
}
