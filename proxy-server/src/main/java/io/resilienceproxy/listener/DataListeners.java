package io.resilienceproxy.listener;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.ChannelGroupFuture;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.resilienceproxy.exchange.Dispatcher;
import io.resilienceproxy.http.RequestDecoder;
import io.resilienceproxy.loop.Transport;
import java.net.InetSocketAddress;
import java.util.List;

/** The sockets that callers connect to. Thread-safe. */
public final class DataListeners {

    private static final int BACKLOG = 1024;

    /** Tells a connection to end as soon as it is between two requests. */
    static final Object FINISH = new Object();

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
                .option(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    }

    /**
     * Binds, so that callers can connect; they are served from {@link DataListener#accept} on, and wait until then.
     *
     * @param port to bind, by which the route table knows the listener; 0 takes any free one
     */
    public DataListener open(String host, int port) {
        DataListener listener = new DataListener(context, port);
        ChannelFuture bound = template.clone()
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accept(channel, listener);
                    }
                })
                .bind(new InetSocketAddress(host, port));
        channels.add(bound.channel());
        listener.onOpened(bound);
        return listener;
    }

    private void accept(Channel channel, DataListener listener) {
        RequestDecoder decoder = new RequestDecoder(context.limits().maxHeadBytes());
        channel.pipeline()
                .addLast(decoder)
                .addLast(
                        new InboundConnection(context, listener, loops.indexOf(channel.eventLoop()), channel, decoder));
        channels.add(channel);
    }

    /**
     * Stops accepting. Connections end with the next answer, or after a moment without a request; what they still ask is
     * answered as before.
     *
     * @param last what their requests go to
     */
    public void end(DataListener listener, Dispatcher last) {
        listener.end(last);
        channels.forEach(channel -> channel.pipeline().fireUserEventTriggered(listener));
    }

    /**
     * Stops accepting. Connections that are between two requests are half-closed; what the others are asked is still
     * answered.
     */
    public void finish() {
        channels.forEach(channel -> {
            if (channel instanceof ServerChannel) {
                channel.close();
            } else {
                channel.pipeline().fireUserEventTriggered(FINISH);
            }
        });
    }

    /** Stops accepting and closes every connection; the returned future tells when that is done. */
    public ChannelGroupFuture close() {
        return channels.close();
    }
}
