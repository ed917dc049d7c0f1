package io.resilienceproxy.testkit;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** An upstream for load: one event loop that answers every request with the same 133 bytes, and only counts. */
public final class FastUpstream implements AutoCloseable {

    private static final byte[] RESPONSE =
            ("HTTP/1.1 200 OK\r\nContent-Length: 133\r\n\r\n" + "x".repeat(133)).getBytes(StandardCharsets.US_ASCII);

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final LongAdder requests = new LongAdder();
    private final LongAdder connections = new LongAdder();
    private final Channel listener;

    private FastUpstream() {
        listener = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        connections.increment();
                        channel.pipeline().addLast(new HttpRequestDecoder(), new Answering());
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
    }

    public static FastUpstream start() {
        return new FastUpstream();
    }

    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    public String url() {
        return "http://127.0.0.1:" + port();
    }

    public long requests() {
        return requests.sum();
    }

    public long connections() {
        return connections.sum();
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private final class Answering extends SimpleChannelInboundHandler<HttpObject> {

        private final ByteBuf response = Unpooled.wrappedBuffer(RESPONSE);

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, HttpObject part) {
            if (part.decoderResult().isFailure()) {
                ctx.close();
            } else if (part instanceof LastHttpContent) {
                requests.increment();
                ctx.write(response.retainedDuplicate(), ctx.voidPromise());
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            ctx.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }
    }
}
