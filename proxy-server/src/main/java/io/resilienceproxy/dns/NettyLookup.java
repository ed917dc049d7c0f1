package io.resilienceproxy.dns;

import io.netty.channel.EventLoop;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.resolver.ResolvedAddressTypes;
import io.netty.resolver.dns.DnsErrorCauseException;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsNameResolverChannelStrategy;
import io.netty.resolver.dns.DnsServerAddressStreamProviders;
import io.netty.resolver.dns.NoopAuthoritativeDnsServerCache;
import io.netty.resolver.dns.SequentialDnsServerAddressStreamProvider;
import io.netty.util.concurrent.Future;
import io.resilienceproxy.loop.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A look-up by Netty's resolver. A query that gets no answer is sent again: one lost datagram must not cost an attempt its
 * whole connect timeout, and a server that is slow the first time has the answer the second time.
 */
final class NettyLookup implements Lookup {

    /** Of one query, to one server. */
    private static final long QUERY_TIMEOUT_MILLIS = 500;

    /** Rounds over the name servers. */
    private static final int TRIES = 4;

    private final String host;
    private final DnsNameResolver resolver;
    private final LeastTtl ttl;

    /** @param servers to ask instead of those of /etc/resolv.conf; null: those */
    static NettyLookup ipv4(
            String host, EventLoop loop, Transport transport, @Nullable List<InetSocketAddress> servers) {
        return of(ResolvedAddressTypes.IPV4_ONLY, host, loop, transport, servers);
    }

    /** Like {@link #ipv4}. */
    static NettyLookup ipv6(
            String host, EventLoop loop, Transport transport, @Nullable List<InetSocketAddress> servers) {
        return of(ResolvedAddressTypes.IPV6_ONLY, host, loop, transport, servers);
    }

    private static NettyLookup of(
            ResolvedAddressTypes family,
            String host,
            EventLoop loop,
            Transport transport,
            @Nullable List<InetSocketAddress> servers) {
        LeastTtl ttl = new LeastTtl();
        DnsNameResolver resolver = new DnsNameResolverBuilder(loop)
                .datagramChannelType(transport.datagramChannel())
                .socketChannelType(transport.socketChannel())
                // A socket per question: its port is hard to guess, and nothing is held between questions.
                .datagramChannelStrategy(DnsNameResolverChannelStrategy.ChannelPerResolution)
                .resolvedAddressTypes(family)
                .hostsFileEntriesResolver((name, types) -> null)
                .nameServerProvider(
                        servers == null
                                ? DnsServerAddressStreamProviders.platformDefault()
                                : new SequentialDnsServerAddressStreamProvider(servers))
                .queryTimeoutMillis(QUERY_TIMEOUT_MILLIS)
                .resolveCache(ttl)
                .cnameCache(ttl.aliases())
                .authoritativeDnsServerCache(NoopAuthoritativeDnsServerCache.INSTANCE)
                .build();
        return new NettyLookup(host, resolver, ttl);
    }

    /** @param resolver of one address family, with {@code ttl} as its caches; closed with this */
    private NettyLookup(String host, DnsNameResolver resolver, LeastTtl ttl) {
        this.host = host;
        this.resolver = resolver;
        this.ttl = ttl;
    }

    @Override
    public void start(Consumer<Found> told) {
        ask(1, told);
    }

    private void ask(int number, Consumer<Found> told) {
        ttl.reset();
        resolver.resolveAll(host).addListener((Future<List<InetAddress>> answer) -> {
            Throwable cause = answer.cause();
            if (cause == null) {
                List<InetAddress> addresses = answer.getNow();
                told.accept(addresses.isEmpty() ? Found.NONE : Found.addresses(addresses, ttl.seconds()));
            } else if (isNone(cause.getCause())) {
                told.accept(Found.NONE);
            } else if (number < TRIES && DnsNameResolver.isTransportOrTimeoutError(cause)) {
                ask(number + 1, told);
            } else {
                told.accept(Found.FAILED);
            }
        });
    }

    /** @param reason why there is no address; null where the servers answered, and had none */
    private static boolean isNone(@Nullable Throwable reason) {
        return reason == null
                || reason instanceof DnsErrorCauseException error && error.getCode() == DnsResponseCode.NXDOMAIN;
    }

    @Override
    public void close() {
        resolver.close();
    }
}
