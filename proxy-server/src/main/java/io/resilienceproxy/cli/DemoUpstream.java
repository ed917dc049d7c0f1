package io.resilienceproxy.cli;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An upstream that misbehaves on demand, so that every protection can be seen to fire without a second system. It
 * listens on a loopback port and does what the query of a request says:
 *
 * <ul>
 *   <li>{@code ?delay=3s} answers late
 *   <li>{@code ?status=503} answers with that status
 *   <li>{@code ?fail-first=2&key=a} answers the first two requests of that key with 503, later ones with 200
 *   <li>{@code ?dead} resets the connection
 *   <li>{@code ?hold} never answers
 * </ul>
 *
 * <p>Each answer carries {@code X-Demo-Request}, the number of requests so far: how often the upstream was really called.
 * A delayed answer may overtake, so it is not for callers that pipeline.
 *
 * <p>Runs on an event loop of its own. Started once; {@link #close} ends loop and connections.
 */
public final class DemoUpstream implements AutoCloseable {

    private static final int MAX_BODY_BYTES = 1024 * 1024;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final AtomicLong requests = new AtomicLong();
    private final DemoMemory memory = new DemoMemory();

    /**
     * Listens on a free port of 127.0.0.1 and returns it. Blocks until it does.
     *
     * @throws StartupFailure where it cannot
     */
    public int start() {
        var bound = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(new HttpServerCodec())
                                .addLast(new HttpObjectAggregator(MAX_BODY_BYTES))
                                .addLast(new DemoHandler(requests, memory));
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new StartupFailure("the demo upstream cannot listen on 127.0.0.1", bound.cause());
        }
        return ((InetSocketAddress) bound.channel().localAddress()).getPort();
    }

    /** How many requests have arrived so far. Any thread. */
    public long requests() {
        return requests.get();
    }

    /** Blocks until every connection is closed. */
    @Override
    public void close() {
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
