package io.resilienceproxy.dns;

import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.resolver.dns.DnsErrorCauseException;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A look-up by Netty's resolver. A query that gets no answer is sent again: one lost datagram must not cost an attempt its
 * whole connect timeout, and a server that is slow the first time has the answer the second time.
 */
final class NettyLookup implements Lookup {

    /** Of one query, to one server. */
    static final long QUERY_TIMEOUT_MILLIS = 500;

    /** Rounds over the name servers. */
    private static final int TRIES = 4;

    private final String host;
    private final DnsNameResolver resolver;
    private final LeastTtl ttl;

    /** @param resolver of one address family, with {@code ttl} as its caches; closed with this */
    NettyLookup(String host, DnsNameResolver resolver, LeastTtl ttl) {
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
