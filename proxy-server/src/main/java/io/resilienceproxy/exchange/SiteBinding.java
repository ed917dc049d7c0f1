package io.resilienceproxy.exchange;

import io.netty.util.AsciiString;
import io.resilienceproxy.http.AddressMapping;
import io.resilienceproxy.http.RequestRewrite;
import io.resilienceproxy.policy.UpstreamUrl;
import io.resilienceproxy.pool.ConnectionSource;
import io.resilienceproxy.resilience.Breaker;
import java.util.function.IntFunction;

/**
 * One url of a route's upstream with all that an attempt at it needs: the breaker, the pool, how requests are rewritten for
 * it and its addresses in responses mapped back. Immutable and shared.
 */
final class SiteBinding {

    /** Its place among the urls of the upstream, from 0, the preferred one. */
    final int index;

    final Breaker breaker;
    final RequestRewrite rewrite;
    final AddressMapping addresses;
    private final IntFunction<ConnectionSource> connections;

    /** @param connections of an event loop, by its index */
    SiteBinding(
            int index,
            UpstreamUrl url,
            Breaker breaker,
            AsciiString deadlineField,
            IntFunction<ConnectionSource> connections) {
        this.index = index;
        this.breaker = breaker;
        this.rewrite =
                new RequestRewrite(new AsciiString(url.basePath()), new AsciiString(url.authority()), deadlineField);
        this.addresses = new AddressMapping(url.scheme(), url.authority(), url.port(), url.basePath());
        this.connections = connections;
    }

    /** The connections of one event loop. */
    ConnectionSource connections(int loopIndex) {
        return connections.apply(loopIndex);
    }
}
