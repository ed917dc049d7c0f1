package io.resilienceproxy.admin;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The admin listener. Serves GET and HEAD of its views, and POST of its actions to {@link LocalCaller}s; everything
 * else is 400, 403, 404 or 405.
 *
 * <p>{@link #start} and {@link #stop} are called by one thread; views are rendered on the listener's own single event
 * loop.
 */
public final class AdminServer {

    static final int IDLE_SECONDS = 30;
    static final int MAX_CONNECTIONS = 64;

    private static final int MAX_REQUEST_LINE = 4096;
    private static final int MAX_HEADERS = 8192;

    /** Requests have no use for a body; a larger one is answered 413. */
    private static final int MAX_BODY = 1024;

    private static final int STOP_MILLIS = 1000;

    private final Map<String, AdminView> views;
    private final Map<String, AdminTree> trees;
    private final Map<String, Runnable> actions;
    private final ChannelGroup channels = new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE);
    private @Nullable EventLoopGroup loop;

    /** @param views by path; see {@link AdminViews} */
    public AdminServer(Map<String, AdminView> views) {
        this(views, Map.of());
    }

    /** @param trees by the path at their root, which no view has */
    public AdminServer(Map<String, AdminView> views, Map<String, AdminTree> trees) {
        this(views, trees, Map.of());
    }

    /**
     * @param trees by the path at their root, which no view has
     * @param actions by path: what a POST from this machine sets off, on the admin event loop, without waiting for it
     */
    public AdminServer(Map<String, AdminView> views, Map<String, AdminTree> trees, Map<String, Runnable> actions) {
        this.views = Map.copyOf(views);
        this.trees = Map.copyOf(trees);
        this.actions = Map.copyOf(actions);
    }

    /**
     * Listens until {@link #stop()}.
     *
     * @param port 0 takes any free port
     * @return the port that it listens on
     * @throws IOException when it cannot, naming host and port; nothing is left running
     * @throws IllegalStateException when started before
     */
    public int start(String host, int port) throws IOException {
        if (loop != null) {
            throw new IllegalStateException("the admin listener was started before");
        }
        boolean epoll = Epoll.isAvailable();
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(
                1,
                new DefaultThreadFactory("admin", true),
                epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        loop = group;
        ChannelFuture bound = bootstrap(group, epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .bind(host, port)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            stop();
            throw new IOException(
                    "admin: cannot listen on " + host + ":" + port + ": " + reason(bound.cause()), bound.cause());
        }
        channels.add(bound.channel());
        return ((InetSocketAddress) bound.channel().localAddress()).getPort();
    }

    private static String reason(Throwable cause) {
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    private ServerBootstrap bootstrap(EventLoopGroup group, Class<? extends ServerChannel> channel) {
        ConnectionLimit limit = new ConnectionLimit(MAX_CONNECTIONS);
        return new ServerBootstrap()
                .group(group)
                .channel(channel)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel accepted) {
                        channels.add(accepted);
                        accepted.pipeline()
                                .addLast(limit)
                                .addLast(new HttpServerCodec(MAX_REQUEST_LINE, MAX_HEADERS, MAX_BODY))
                                .addLast(new HttpObjectAggregator(MAX_BODY, true))
                                .addLast(new FlowControlHandler())
                                .addLast(new AdminHandler(views, trees, actions));
                    }
                });
    }

    /** Closes all connections and ends the event loop; returns when it has ended, after two seconds at the latest. */
    public void stop() {
        if (loop != null) {
            // Before the loop: one that ends without a quiet period may leave sockets open for good (Netty 4.2.18).
            channels.close().awaitUninterruptibly(STOP_MILLIS);
            loop.shutdownGracefully(0, STOP_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(STOP_MILLIS);
        }
    }
}
