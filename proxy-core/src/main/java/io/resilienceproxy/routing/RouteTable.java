package io.resilienceproxy.routing;

import io.resilienceproxy.policy.Policy;
import io.resilienceproxy.resilience.Breaker;
import io.resilienceproxy.resilience.BreakerListener;
import io.resilienceproxy.resilience.Bulkhead;
import io.resilienceproxy.resilience.RetryBudget;
import io.resilienceproxy.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which request belongs to which route. Immutable; thread-safe; the cost of a match does not grow with the number of
 * upstreams.
 */
public final class RouteTable {

    /** {@code listenPort} of a request that came in on the shared listener; so is the configured port of that. */
    public static final int SHARED_LISTENER = 0;

    private final int sharedPort;
    private final List<Upstream> upstreams;
    private final List<Route> routes;

    /** By {@link Route#index()}: the answers, ready made, for requests without and with a prefix. */
    private final List<RouteMatched> direct;

    private final List<RouteMatched> prefixed;

    private final NameTable<Upstream> byName;
    private final Map<Integer, Upstream> byPort = new HashMap<>();
    private final Authorities authorities;

    private RouteTable(int sharedPort, List<Upstream> upstreams) {
        this.sharedPort = sharedPort;
        this.upstreams = List.copyOf(upstreams);
        this.routes = upstreams.stream().flatMap(u -> u.routes().stream()).toList();
        this.direct = routes.stream().map(route -> new RouteMatched(route, 0)).toList();
        this.prefixed = routes.stream()
                .map(route -> new RouteMatched(route, 1 + route.upstreamName().length()))
                .toList();
        Map<String, Upstream> names = new HashMap<>();
        for (Upstream upstream : upstreams) {
            names.put(upstream.name(), upstream);
            upstream.policy().listenPort().ifPresent(port -> byPort.put(port, upstream));
        }
        this.byName = new NameTable<>(names);
        this.authorities = new Authorities(upstreams);
    }

    /** A table of fresh upstreams: every breaker closed, every permit free, every budget half full. */
    public static RouteTable from(Policy policy, Clock clock, BreakerListener listener) {
        return from(policy, null, clock, listener);
    }

    /**
     * The table that follows another one: breakers, bulkheads and budgets of the same name live on, under the new policy
     * from this moment on, also for exchanges that keep the table they began with. See {@link Breaker#change}, {@link
     * Bulkhead#change}, {@link RetryBudget#change}. To be called once the policy is sure to be used, by one thread.
     *
     * @param previous null: every upstream is fresh
     * @throws IllegalArgumentException when a figure of the policy is out of range; nothing has changed
     */
    public static RouteTable from(Policy policy, @Nullable RouteTable previous, Clock clock, BreakerListener listener) {
        LiveParts parts = new LiveParts(previous, clock, listener);
        List<Upstream> upstreams = new UpstreamFactory(parts).create(policy.upstreams());
        RouteTable table = new RouteTable(policy.listen().port(), upstreams);
        parts.takeOver();
        return table;
    }

    /** In the order of the policy. */
    public List<Upstream> upstreams() {
        return upstreams;
    }

    /** Of all upstreams; each stands at its {@link Route#index()}. */
    public List<Route> routes() {
        return routes;
    }

    /**
     * Finds the route of a request: by its listener, else the authority of an absolute-form target, else Host, else the
     * first path segment. A target that names an authority goes there or nowhere, so that a caller can reach configured
     * upstreams only (RFC 9112 section 3.2.2).
     *
     * @param listenPort the configured port that the request came in on, or {@link #SHARED_LISTENER}: which upstream a
     *     port leads to, and which port is shared, may change from one table to the next
     * @param authority of an absolute-form target, else null; {@code host} or {@code host:port}, in any case
     * @param host the Host field, null when absent; likewise
     * @param method as sent; case-sensitive
     * @param target in origin-form, or {@code *}; a part of an absolute-form target that has no path is {@code /}
     * @return null: no route
     */
    public @Nullable RouteMatched match(
            int listenPort, @Nullable String authority, @Nullable String host, String method, String target) {
        if (listenPort != SHARED_LISTENER && listenPort != sharedPort) {
            Upstream upstream = byPort.get(listenPort);
            boolean elsewhere = upstream == null || authority != null && !authorities.names(authority, upstream);
            return elsewhere ? null : route(upstream, method, target, 0);
        }
        if (authority != null) {
            Upstream upstream = authorities.find(authority);
            return upstream == null ? null : route(upstream, method, target, 0);
        }
        Upstream upstream = host == null ? null : authorities.find(host);
        return upstream != null ? route(upstream, method, target, 0) : byFirstSegment(method, target);
    }

    private @Nullable RouteMatched byFirstSegment(String method, String target) {
        if (!target.startsWith("/")) {
            return null;
        }
        int end = 1;
        while (end < target.length() && target.charAt(end) != '/' && target.charAt(end) != '?') {
            end++;
        }
        Upstream upstream = byName.find(target, 1, end);
        return upstream == null ? null : route(upstream, method, target, end);
    }

    private RouteMatched route(Upstream upstream, String method, String target, int prefixLength) {
        List<Route> candidates = upstream.routes();
        int last = candidates.size() - 1;
        int i = 0;
        // The last is the default route, which takes whatever is left.
        while (i < last && !candidates.get(i).policy().match().matches(method, target, prefixLength)) {
            i++;
        }
        int index = candidates.get(i).index();
        return (prefixLength == 0 ? direct : prefixed).get(index);
    }
}
