package io.resilienceproxy.cli;

import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.resilienceproxy.exchange.Dispatcher;
import io.resilienceproxy.exchange.TrafficListener;
import io.resilienceproxy.listener.DataListeners;
import io.resilienceproxy.listener.InboundContext;
import io.resilienceproxy.listener.InboundLimits;
import io.resilienceproxy.loop.Transport;
import io.resilienceproxy.policy.Limits;
import io.resilienceproxy.policy.ListenAddress;
import io.resilienceproxy.policy.Policy;
import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.pool.ConnectionPool;
import io.resilienceproxy.pool.Connector;
import io.resilienceproxy.routing.RouteTable;
import io.resilienceproxy.time.Clock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The data path, put together for one policy: event loops, pools, route table, listeners.
 *
 * <p>Started and closed by its owner, on any thread but the event loops.
 */
public final class ProxyServer implements AutoCloseable {

    private final EventLoopGroup group;
    private final Connector connector;
    private final Map<String, ConnectionPool> pools = new LinkedHashMap<>();
    private final InboundContext context;
    private final DataListeners listeners;
    private final Map<String, Integer> ports = new LinkedHashMap<>();
    private int port;

    private ProxyServer(Policy policy, RouteTable table, TrafficListener traffic, Clock clock) {
        Transport transport = Transport.best();
        this.group = transport.newGroup(policy.threads(), "proxy-loop");
        List<EventLoop> loops = new ArrayList<>();
        group.forEach(executor -> loops.add((EventLoop) executor));
        this.connector = new Connector(transport);
        for (UpstreamPolicy upstream : policy.upstreams()) {
            pools.put(upstream.name(), new ConnectionPool(upstream.url(), upstream.pool(), loops, connector, clock));
        }
        Dispatcher dispatcher = new Dispatcher(table, upstream -> pools.get(upstream.name()), traffic, clock);
        this.context = new InboundContext(dispatcher, limits(policy.limits()), traffic, clock);
        this.listeners = new DataListeners(transport, group, loops, context);
    }

    private static InboundLimits limits(Limits limits) {
        return new InboundLimits(
                limits.maxConnections(),
                limits.maxHeaderSize(),
                limits.headerTimeout().toNanos(),
                limits.idleTimeout().toNanos());
    }

    /**
     * Starts to serve.
     *
     * @throws IOException when a port cannot be bound; everything is closed again
     */
    public static ProxyServer start(Policy policy, RouteTable table, TrafficListener traffic, Clock clock)
            throws IOException {
        ProxyServer server = new ProxyServer(policy, table, traffic, clock);
        try {
            server.open(policy);
        } catch (IOException e) {
            server.close();
            throw e;
        }
        return server;
    }

    private void open(Policy policy) throws IOException {
        String host = policy.listen().host();
        port = open(host, policy.listen().port(), RouteTable.SHARED_LISTENER);
        for (UpstreamPolicy upstream : policy.upstreams()) {
            if (upstream.listenPort().isPresent()) {
                int wanted = upstream.listenPort().getAsInt();
                ports.put(upstream.name(), open(host, wanted, wanted));
            }
        }
    }

    private int open(String host, int wanted, int listenPort) throws IOException {
        ChannelFuture bound = listeners.open(host, wanted, listenPort).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(
                    "cannot listen on " + new ListenAddress(host, wanted) + ": "
                            + bound.cause().getMessage(),
                    bound.cause());
        }
        return ((InetSocketAddress) bound.channel().localAddress()).getPort();
    }

    /** The port of the shared listener. */
    public int port() {
        return port;
    }

    /** The dedicated port of an upstream that has one. */
    public int port(String upstream) {
        Integer own = ports.get(upstream);
        if (own == null) {
            throw new IllegalArgumentException("upstream " + upstream + " has no port of its own");
        }
        return own;
    }

    /** By upstream, in the order of the policy. */
    public Map<String, ConnectionPool> pools() {
        return Map.copyOf(pools);
    }

    /** From now on every response asks its caller to close; new requests are still served. */
    public void drain() {
        context.drain();
    }

    /** For how long no request has been in flight, in nanoseconds; 0 while one is. */
    public long quietNanos() {
        return context.quietNanos();
    }

    /** Closes everything at once: what is in flight is cut off. */
    @Override
    public void close() {
        listeners.close().awaitUninterruptibly();
        pools.values().forEach(ConnectionPool::close);
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
        connector.close();
    }
}
