package io.resilienceproxy.bench;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import io.resilienceproxy.dns.NameService;
import io.resilienceproxy.eventlog.EventLog;
import io.resilienceproxy.exchange.Dispatcher;
import io.resilienceproxy.exchange.Silence;
import io.resilienceproxy.exchange.TrafficListener;
import io.resilienceproxy.exchange.TrafficListeners;
import io.resilienceproxy.listener.EmbeddedCaller;
import io.resilienceproxy.listener.InboundContext;
import io.resilienceproxy.listener.InboundLimits;
import io.resilienceproxy.loop.Transport;
import io.resilienceproxy.metrics.ProxyMeters;
import io.resilienceproxy.policy.Logging;
import io.resilienceproxy.policy.Policy;
import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.policy.UpstreamUrl;
import io.resilienceproxy.pool.ConnectionPool;
import io.resilienceproxy.pool.Connector;
import io.resilienceproxy.pool.EmbeddedUpstream;
import io.resilienceproxy.pool.PoolListener;
import io.resilienceproxy.routing.RouteTable;
import io.resilienceproxy.time.Clock;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The whole data path between two embedded channels: decoders, routing, gates, pool, rewriting, metrics and log as in the running
 * proxy, without a socket. One caller, one upstream connection.
 */
final class EmbeddedProxy implements AutoCloseable {

    private static final int MAX_HEAD_BYTES = 16 * 1024;
    private static final long LONG_NANOS = 3_600_000_000_000L;

    private final EmbeddedChannel caller = new EmbeddedChannel();
    private final EmbeddedChannel upstream = new EmbeddedChannel();

    /** @param withReports metrics and event log listen, as in the running proxy; else nobody */
    EmbeddedProxy(Clock clock, boolean withReports) {
        Policy policy = Policies.of(1, "pool: {max-connections: 1}, bulkhead: {max-concurrent-calls: 1}");
        UpstreamPolicy only = policy.upstreams().get(0);
        RouteTable table = RouteTable.from(policy, clock, (name, from, to, failures, slow) -> {});
        ConnectionPool pool = new ConnectionPool(
                // An address: nothing is looked up here.
                new UpstreamUrl("http", "127.0.0.1", 9000, "/base"),
                null,
                only.pool(),
                List.of(caller.eventLoop()),
                new Connector(Transport.nio()),
                new NameService(Transport.nio(), clock),
                PoolListener.NONE,
                clock);
        TrafficListener traffic = withReports
                ? TrafficListeners.both(ProxyMeters.create(clock), new EventLog(clock, Logging.Access.OFF))
                : new Silence();
        Dispatcher dispatcher = new Dispatcher(table, (upstream, url) -> pool, ignored -> null, traffic, clock);
        EmbeddedCaller.install(
                caller,
                new InboundContext(
                        dispatcher, new InboundLimits(1, MAX_HEAD_BYTES, LONG_NANOS, LONG_NANOS), traffic, clock),
                policy.listen().port());
        EmbeddedUpstream.reserve(pool);
        caller.writeInbound(once("GET /u0/first HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        EmbeddedUpstream.connect(upstream, pool, clock);
        drop(upstream);
        answer(once("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
    }

    /** Bytes that outlive every release. */
    static ByteBuf buffer(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return Unpooled.unreleasableBuffer(Unpooled.directBuffer(bytes.length).writeBytes(bytes));
    }

    private static ByteBuf once(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
    }

    /** One exchange. @return the bytes that left on both sides */
    int exchange(ByteBuf request, ByteBuf response) {
        caller.writeInbound(request.duplicate());
        int sent = drop(upstream);
        return sent + answer(response);
    }

    private int answer(ByteBuf response) {
        upstream.writeInbound(response.duplicate());
        caller.runPendingTasks();
        int bytes = drop(caller);
        if (bytes == 0) {
            throw new IllegalStateException("no answer reached the caller");
        }
        return bytes;
    }

    private static int drop(EmbeddedChannel channel) {
        int bytes = 0;
        for (Object message = channel.readOutbound(); message != null; message = channel.readOutbound()) {
            bytes += message instanceof ByteBuf piece ? piece.readableBytes() : 0;
            ReferenceCountUtil.release(message);
        }
        return bytes;
    }

    @Override
    public void close() {
        caller.close();
        upstream.close();
    }
}
