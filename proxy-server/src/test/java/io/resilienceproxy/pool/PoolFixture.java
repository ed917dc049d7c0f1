package io.resilienceproxy.pool;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.local.LocalAddress;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.channel.local.LocalServerChannel;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.resilienceproxy.dns.NameService;
import io.resilienceproxy.loop.Transport;
import io.resilienceproxy.outcome.FailureKind;
import io.resilienceproxy.outcome.TlsAlert;
import io.resilienceproxy.policy.PoolPolicy;
import io.resilienceproxy.policy.UpstreamUrl;
import io.resilienceproxy.time.Clock;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A pool on an event loop that runs when the test says so, under a clock that the test moves; its upstreams are in this
 * process and take no port. All on the test's thread.
 */
final class PoolFixture implements AutoCloseable {

    private static final int PORT = 80;

    private final MockTicker ticker = Ticker.newMockTicker();
    private final ManualIoEventLoop loop =
            new ManualIoEventLoop(null, Thread.currentThread(), LocalIoHandler.newFactory(), ticker);
    private final Map<String, Channel> listening = new HashMap<>();
    private final List<Channel> accepted = new ArrayList<>();
    private final List<SocketAddress> dialled = new ArrayList<>();
    private final Connector connector = new Connector(
            new Bootstrap().channel(LocalChannel.class).disableResolver().handler(new ChannelInitializer<>() {
                @Override
                protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(new InsideProcess());
                    Http1Connection.prepare(channel.pipeline());
                }
            }));
    final Clock clock = new Clock() {
        @Override
        public long nanoTime() {
            return ticker.nanoTime();
        }

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }
    };

    private final class InsideProcess extends ChannelOutboundHandlerAdapter {
        @Override
        public void connect(
                ChannelHandlerContext ctx, SocketAddress remote, SocketAddress local, ChannelPromise promise) {
            dialled.add(remote);
            ctx.connect(insideProcess(((InetSocketAddress) remote).getAddress().getHostAddress()), null, promise);
        }
    }

    private LocalAddress insideProcess(String ip) {
        return new LocalAddress(System.identityHashCode(this) + "/" + ip);
    }

    /** An upstream accepts connections to that address and says nothing. */
    void listen(String ip) {
        listening.put(
                ip,
                new ServerBootstrap()
                        .group(loop)
                        .channel(LocalServerChannel.class)
                        .childHandler(new ChannelInitializer<>() {
                            @Override
                            protected void initChannel(Channel channel) {
                                accepted.add(channel);
                                channel.pipeline().addLast(new Silent());
                            }
                        })
                        .bind(insideProcess(ip))
                        .channel());
        run();
    }

    private static final class Silent extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ReferenceCountUtil.release(message);
        }
    }

    /** Connections to that address are refused from now on. */
    void refuse(String ip) {
        listening.remove(ip).close();
        run();
    }

    EventLoop loop() {
        return loop;
    }

    ConnectionPool open(String host, PoolPolicy policy) {
        ConnectionPool pool = new ConnectionPool(
                new UpstreamUrl("http", host, PORT, ""),
                null,
                policy,
                List.<EventLoop>of(loop),
                connector,
                new NameService(Transport.best(), clock),
                PoolListener.NONE,
                clock);
        run();
        return pool;
    }

    /** A connection that is leased, opened anew. */
    Http1Connection connect(ConnectionPool pool) {
        Lessee lessee = new Lessee();
        pool.on(0).connect(lessee, null);
        run();
        return (Http1Connection) lessee.connections.get(0);
    }

    /** All that is due now. */
    void run() {
        int done;
        do {
            done = loop.runNow();
        } while (done > 0);
    }

    /** Time passes in steps that are short beside every limit of a pool. */
    void pass(Duration duration) {
        Duration step = Duration.ofMillis(50);
        for (Duration left = duration; !left.isNegative() && !left.isZero(); left = left.minus(step)) {
            ticker.advance(Math.min(left.toNanos(), step.toNanos()), TimeUnit.NANOSECONDS);
            run();
        }
    }

    /** How many connections were asked for, refused ones included. */
    int dialled() {
        return dialled.size();
    }

    /** The upstreams close every connection. */
    void hangUp() {
        List.copyOf(accepted()).forEach(Channel::close);
        run();
    }

    /** Those that upstreams have open now, in the order of their coming. */
    List<Channel> accepted() {
        return accepted.stream().filter(Channel::isActive).toList();
    }

    @Override
    public void close() {
        List.copyOf(listening.values()).forEach(Channel::close);
        hangUp();
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        while (!loop.isTerminated()) {
            ticker.advance(1, TimeUnit.SECONDS);
            loop.runNow();
        }
    }

    /** Has one connection to give back, or was told why there is none. */
    static final class Lessee implements ConnectionSource.Listener {
        final List<Connection> connections = new ArrayList<>();
        final List<FailureKind> failures = new ArrayList<>();

        @Override
        public void onConnecting() {}

        @Override
        public void onConnected(Connection connection) {
            connections.add(connection);
        }

        @Override
        public void onTlsAlert(TlsAlert alert) {}

        @Override
        public void onConnectFailed(FailureKind kind, Endpoint last) {
            failures.add(kind);
        }
    }
}
