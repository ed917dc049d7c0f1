package io.resilienceproxy.policy;

import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * One upstream system.
 *
 * @param name route prefix, metric tag and instance name, all the same; letters, digits, {@code -} and {@code _}
 * @param urls where it lives, in order of preference: one that is not first is used while those before it do not work;
 *     not empty, no two with the same {@link UpstreamUrl#site()}
 * @param listenPort a data port of its own, on the host of {@link Policy#listen()}
 * @param hosts names by which callers may address it, without its url's: {@code host}, which stands for every port, or
 *     {@code host:port}; lower case, an IPv6 address in brackets; each in one upstream only
 * @param pool its connections
 * @param tls how an https url is spoken to; without meaning for an http one
 * @param health how it is asked whether it is well; null: it is not
 * @param defaultRoute the policy of requests that match none of {@code routes}; named {@value RoutePolicy#DEFAULT_NAME}
 * @param routes in the order of the file: the first that matches wins
 */
public record UpstreamPolicy(
        String name,
        List<UpstreamUrl> urls,
        OptionalInt listenPort,
        List<String> hosts,
        PoolPolicy pool,
        TlsPolicy tls,
        @Nullable HealthPolicy health,
        RoutePolicy defaultRoute,
        List<RoutePolicy> routes) {

    public UpstreamPolicy {
        urls = List.copyOf(urls);
        hosts = List.copyOf(hosts);
        routes = List.copyOf(routes);
    }

    /** The preferred one. */
    public UpstreamUrl url() {
        return urls.get(0);
    }

    /**
     * What a protection or pool that belongs to one of several urls is called: {@code owner} where there is only one, so
     * that it keeps its name for as long as the upstream does; else the owner, {@code @} and the site.
     *
     * @param owner name of the upstream, or {@code upstream.route}
     */
    public String nameAt(String owner, UpstreamUrl url) {
        return urls.size() == 1 ? owner : owner + "@" + url.site();
    }
}
