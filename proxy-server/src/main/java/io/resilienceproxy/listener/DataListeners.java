package io.resilienceproxy.listener;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.ChannelGroupFuture;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.resilienceproxy.http.RequestDecoder;
import io.resilienceproxy.loop.Transport;
import java.net.InetSocketAddress;
import java.util.List;

/** The sockets that callers connect to. Thread-safe. */
public final class DataListeners {

    private static final int BACKLOG = 1024;

    private final ServerBootstrap template;
    private final InboundContext context;
    private final List<EventLoop> loops;
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);

    /** @param loops those of the group, in the order that pools know */
    public DataListeners(Transport transport, EventLoopGroup group, List<EventLoop> loops, InboundContext context) {
        this.context = context;
        this.loops = List.copyOf(loops);
        this.template = new ServerBootstrap()
                .group(group)
                .channel(transport.serverChannel())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    }

    /**
     * Binds and accepts; the returned future tells when, or why not.
     *
     * @param port to bind; 0 takes any free one
     * @param listenPort as the route table knows the listener
     */
    public ChannelFuture open(String host, int port, int listenPort) {
        ChannelFuture bound = template.clone()
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accept(channel, listenPort);
                    }
                })
                .bind(new InetSocketAddress(host, port));
        channels.add(bound.channel());
        return bound;
    }

    private void accept(Channel channel, int listenPort) {
        RequestDecoder decoder = new RequestDecoder(context.limits().maxHeadBytes());
        channel.pipeline()
                .addLast(decoder)
                .addLast(new InboundConnection(
                        context, listenPort, loops.indexOf(channel.eventLoop()), channel, decoder));
        channels.add(channel);
    }

    /** Stops accepting and closes every connection; the returned future tells when that is done. */
    public ChannelGroupFuture close() {
        return channels.close();
    }
}
