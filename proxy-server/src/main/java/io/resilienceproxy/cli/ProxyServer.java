package io.resilienceproxy.cli;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.resilienceproxy.dns.NameService;
import io.resilienceproxy.exchange.Dispatcher;
import io.resilienceproxy.exchange.TrafficListener;
import io.resilienceproxy.fallback.AnswerStore;
import io.resilienceproxy.health.HealthChecks;
import io.resilienceproxy.listener.DataListeners;
import io.resilienceproxy.listener.InboundContext;
import io.resilienceproxy.listener.InboundLimits;
import io.resilienceproxy.loop.Transport;
import io.resilienceproxy.policy.Limits;
import io.resilienceproxy.policy.Policy;
import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.pool.ConnectionPool;
import io.resilienceproxy.pool.Connector;
import io.resilienceproxy.routing.RouteTable;
import io.resilienceproxy.time.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The data path: event loops, pools, route table, listeners, put together for one policy and able to go over to another.
 *
 * <p>Started, changed and closed by its owner, on one thread at a time, which is no event loop.
 */
public final class ProxyServer implements AutoCloseable {

    private final TrafficListener traffic;
    private final NameService names;
    private final EventLoopGroup group;
    private final LazyTls tls;
    private final Pools pools;
    private final HealthChecks health;
    private final AnswerStores stores;
    private final Dispatcher dispatcher;
    private final InboundContext context;
    private final DataListeners sockets;
    private Listening listening = Listening.nowhere();
    private volatile Policy policy;

    private ProxyServer(Policy policy, RouteTable table, Listeners listeners, Clock clock) throws IOException {
        this.policy = policy;
        this.tls = new LazyTls(listeners.certificates());
        this.traffic = listeners.traffic();
        Transport transport = Transport.best();
        this.names = names(transport, clock);
        this.group = transport.newGroup(policy.threads(), "proxy-loop");
        List<EventLoop> loops = new ArrayList<>();
        group.forEach(executor -> loops.add((EventLoop) executor));
        Connector connector = new Connector(transport);
        this.pools = new Pools((upstream, url) -> new ConnectionPool(
                url,
                tls.of(upstream, url),
                upstream.pool(),
                loops,
                connector,
                names,
                listeners.pools().apply(upstream, url),
                clock));
        try {
            pools.follow(policy.upstreams(), pools.prepare(policy.upstreams()));
        } catch (IOException e) {
            closeLoops();
            throw e;
        }
        this.health = new HealthChecks(
                (upstream, url) -> pools.of(upstream, url).another(HealthChecks.POOL, loops.subList(0, 1)),
                loops.get(0),
                clock);
        health.follow(policy.upstreams());
        this.stores = new AnswerStores(clock);
        stores.follow(policy.upstreams());
        this.dispatcher = new Dispatcher(table, pools::of, stores::of, traffic, clock);
        this.context = new InboundContext(dispatcher, limits(policy.limits()), traffic, clock);
        this.sockets = new DataListeners(transport, group, loops, context);
    }

    private static NameService names(Transport transport, Clock clock) throws IOException {
        try {
            return new NameService(transport, clock);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
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
     * @throws IOException naming what cannot be bound; everything is closed again
     */
    static ProxyServer start(Policy policy, RouteTable table, Listeners listeners, Clock clock) throws IOException {
        ProxyServer server = new ProxyServer(policy, table, listeners, clock);
        try {
            server.listening = server.listening.prepare(policy, server.sockets);
        } catch (IOException e) {
            server.close();
            throw e;
        }
        server.listening.accept();
        return server;
    }

    /** Where the addresses of its upstreams come from. */
    NameService names() {
        return names;
    }

    /**
     * Goes over to another policy. The order: ports are bound and certificates read first, because that alone can fail; listeners that end keep
     * the old table; then every request is matched by the new one; then pools that nobody begins to use any more are
     * drained. Blocks for as long as binding takes. Another number of threads is not taken up.
     *
     * @param follow makes the new table, once nothing can fail any more
     * @return the new table
     * @throws IOException naming every address that cannot be bound, or the certificate file; nothing has changed
     */
    RouteTable replace(Policy next, Supplier<RouteTable> follow) throws IOException {
        Listening last = listening;
        Listening prepared = last.prepare(next, sockets);
        RouteTable table;
        Map<Pools.Key, ConnectionPool> preparedPools;
        try {
            preparedPools = pools.prepare(next.upstreams());
        } catch (IOException e) {
            prepared.discard();
            throw e;
        }
        try {
            table = follow.get();
        } catch (RuntimeException e) {
            pools.discard(preparedPools);
            prepared.discard();
            throw e;
        }
        List<ConnectionPool> unused = pools.follow(next.upstreams(), preparedPools);
        stores.follow(next.upstreams());
        health.follow(next.upstreams());
        context.limits(limits(next.limits()));
        prepared.endOthersOf(last, sockets, dispatcher);
        dispatcher.replace(table, pools::of, stores::of, traffic);
        prepared.accept();
        unused.forEach(ConnectionPool::close);
        listening = prepared;
        policy = next;
        return table;
    }

    /** The port of the shared listener. */
    public int port() {
        return listening.port(policy);
    }

    /** The dedicated port of an upstream that has one. */
    public int port(String upstream) {
        for (UpstreamPolicy one : policy.upstreams()) {
            if (one.name().equals(upstream) && one.listenPort().isPresent()) {
                return listening.port(policy, one.listenPort().getAsInt());
            }
        }
        throw new IllegalArgumentException("upstream " + upstream + " has no port of its own");
    }

    /** Those of an upstream, in the order of its urls. */
    public List<ConnectionPool> pools(UpstreamPolicy upstream) {
        return upstream.urls().stream().map(url -> pools.of(upstream, url)).toList();
    }

    /** Of all upstreams, without those that drain. */
    public List<ConnectionPool> pools() {
        return pools.all();
    }

    HealthChecks healthChecks() {
        return health;
    }

    /** The last good answers, by upstream, of those that keep any. */
    Map<String, AnswerStore> answerStores() {
        return stores.byUpstream();
    }

    /** From now on every response asks its caller to close; new requests are still served. */
    public void drain() {
        context.drain();
    }

    /** For how long no request has been in flight, in nanoseconds; 0 while one is. */
    public long quietNanos() {
        return context.quietNanos();
    }

    /** Stops accepting, and half-closes the connections that are between two requests; others end with their answer. */
    void finish() {
        sockets.finish();
    }

    /** How many callers are connected. */
    int connections() {
        return context.connections();
    }

    /** Closes everything at once: what is in flight is cut off. */
    @Override
    public void close() {
        sockets.close().awaitUninterruptibly();
        pools().forEach(ConnectionPool::close);
        health.close();
        closeLoops();
        tls.close();
    }

    private void closeLoops() {
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
