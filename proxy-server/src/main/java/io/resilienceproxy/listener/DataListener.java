package io.resilienceproxy.listener;

import io.netty.channel.ChannelFuture;
import io.resilienceproxy.exchange.Dispatcher;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** One socket that callers connect to. Thread-safe once it is opened. */
public final class DataListener {

    /** How long a connection of a listener that ends may wait for a request. */
    private static final long ENDING_IDLE_NANOS = 1_000_000_000L;

    private final InboundContext context;
    private final int port;
    private @Nullable ChannelFuture bound;
    private volatile @Nullable Dispatcher last;

    DataListener(InboundContext context, int port) {
        this.context = context;
        this.port = port;
    }

    void onOpened(ChannelFuture future) {
        bound = future;
    }

    /** Tells when it is bound, or why it cannot be. */
    public ChannelFuture bound() {
        if (bound == null) {
            throw new IllegalStateException("the listener of port " + port + " is not open");
        }
        return bound;
    }

    /** Once it is bound. */
    public int localPort() {
        return ((InetSocketAddress) bound().channel().localAddress()).getPort();
    }

    /** Those who have connected are served from now on. */
    public void accept() {
        bound().channel().config().setAutoRead(true);
    }

    /** Takes back an opening: nobody was served. The returned future tells when the port is free. */
    public ChannelFuture discard() {
        return bound().channel().close();
    }

    void end(Dispatcher lastDispatcher) {
        last = lastDispatcher;
        bound().channel().close();
    }

    /** From now on connections end when they can. */
    boolean isEnding() {
        return last != null;
    }

    /** How long a connection may wait for a request. */
    long idleNanos() {
        return isEnding() ? ENDING_IDLE_NANOS : context.limits().idleNanos();
    }

    /** As the policy names it. */
    int port() {
        return port;
    }

    Dispatcher dispatcher() {
        Dispatcher own = last;
        return own != null ? own : context.dispatcher();
    }
}
