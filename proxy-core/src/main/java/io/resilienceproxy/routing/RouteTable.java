package io.resilienceproxy.routing;

import io.resilienceproxy.policy.Policy;
import io.resilienceproxy.resilience.BreakerListener;
import io.resilienceproxy.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which request belongs to which route. Immutable; thread-safe; the cost of a match does not grow with the number of
 * upstreams.
 */
public final class RouteTable {

    /** {@code listenPort} of a request that came in on the shared listener. */
    public static final int SHARED_LISTENER = 0;

    private final List<Upstream> upstreams;
    private final List<Route> routes;
    private final Map<String, Upstream> byName = new HashMap<>();
    private final Map<Integer, Upstream> byPort = new HashMap<>();
    private final Hosts hosts;

    private RouteTable(List<Upstream> upstreams) {
        this.upstreams = List.copyOf(upstreams);
        List<Route> all = new ArrayList<>();
        for (Upstream upstream : upstreams) {
            all.addAll(upstream.routes());
            byName.put(upstream.name(), upstream);
            upstream.policy().listenPort().ifPresent(port -> byPort.put(port, upstream));
        }
        this.routes = List.copyOf(all);
        this.hosts = new Hosts(upstreams);
    }

    public static RouteTable from(Policy policy, Clock clock, BreakerListener listener) {
        return new RouteTable(new UpstreamFactory(clock, listener).create(policy.upstreams()));
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
     * @param listenPort the configured dedicated port that the request came in on, or {@link #SHARED_LISTENER}
     * @param authority of an absolute-form target, else null
     * @param host the Host field, null when absent
     * @param target in origin-form, or {@code *}
     * @return null: no route
     */
    public @Nullable RouteMatched match(
            int listenPort, @Nullable String authority, @Nullable String host, String method, String target) {
        if (listenPort != SHARED_LISTENER) {
            Upstream upstream = byPort.get(listenPort);
            boolean elsewhere = upstream == null || authority != null && !hosts.names(authority, upstream);
            return elsewhere ? null : route(upstream, method, target, 0);
        }
        if (authority != null) {
            Upstream upstream = hosts.find(authority);
            return upstream == null ? null : route(upstream, method, target, 0);
        }
        Upstream upstream = host == null ? null : hosts.find(host);
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
        Upstream upstream = byName.get(target.substring(1, end));
        return upstream == null ? null : route(upstream, method, target, end);
    }

    private static RouteMatched route(Upstream upstream, String method, String target, int prefixLength) {
        for (Route route : upstream.routes()) {
            if (route.policy().match().matches(method, target, prefixLength)) {
                return new RouteMatched(route, prefixLength);
            }
        }
        throw new IllegalStateException("upstream " + upstream.name() + " has no default route");
    }

    /** By lower-case authority; see docs/architecture.md, Routing. */
    private static final class Hosts {
        private final Map<String, Upstream> byAuthority = new HashMap<>();

        Hosts(List<Upstream> upstreams) {
            Map<String, Integer> implied = new HashMap<>();
            upstreams.forEach(u -> implied.merge(u.policy().url().authority(), 1, Integer::sum));
            for (Upstream upstream : upstreams) {
                String own = upstream.policy().url().authority();
                if (implied.get(own) == 1) {
                    byAuthority.put(own, upstream);
                }
            }
            upstreams.forEach(u -> u.policy().hosts().forEach(host -> byAuthority.put(host, u)));
        }

        @Nullable
        Upstream find(String authority) {
            String name = authority.toLowerCase(Locale.ROOT);
            Upstream exact = byAuthority.get(name);
            if (exact != null) {
                return exact;
            }
            String withoutDefaultPort = name.endsWith(":80") ? name.substring(0, name.length() - 3) : null;
            return withoutDefaultPort == null ? null : byAuthority.get(withoutDefaultPort);
        }

        boolean names(String authority, Upstream upstream) {
            if (find(authority) == upstream) {
                return true;
            }
            return authority.equalsIgnoreCase(upstream.policy().url().authority());
        }
    }
}
