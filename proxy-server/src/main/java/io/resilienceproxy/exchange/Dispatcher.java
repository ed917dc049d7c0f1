package io.resilienceproxy.exchange;

import io.resilienceproxy.http.RequestHead;
import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.pool.ConnectionPool;
import io.resilienceproxy.routing.Route;
import io.resilienceproxy.routing.RouteMatched;
import io.resilienceproxy.routing.RouteTable;
import io.resilienceproxy.time.Clock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Begins exchanges: finds the route and binds it to its pool and its listener. Thread-safe.
 */
public final class Dispatcher {

    private final Clock clock;
    private final Live live;

    /** @param pools the pool of an upstream; asked once per route */
    public Dispatcher(
            RouteTable table, Function<UpstreamPolicy, ConnectionPool> pools, TrafficListener traffic, Clock clock) {
        this.clock = clock;
        this.live = Live.of(table, pools, traffic);
    }

    /**
     * The exchange of a request, not started yet; null when no route matches.
     *
     * @param listenPort as {@link RouteTable#match} takes it
     */
    public @Nullable Exchange dispatch(RequestHead head, int listenPort, Downstream downstream) {
        RouteMatched matched =
                live.table.match(listenPort, head.authority(), head.fields().get("host"), head.method(), head.target());
        if (matched == null) {
            return null;
        }
        RouteBinding binding = live.bindings[matched.route().index()];
        return new Exchange(binding, head, matched.prefixLength(), downstream, clock);
    }

    private record Live(RouteTable table, RouteBinding[] bindings) {

        static Live of(RouteTable table, Function<UpstreamPolicy, ConnectionPool> pools, TrafficListener traffic) {
            RouteBinding[] bindings = new RouteBinding[table.routes().size()];
            for (Route route : table.routes()) {
                bindings[route.index()] =
                        new RouteBinding(route, pools.apply(route.upstream()), traffic.forRoute(route));
            }
            return new Live(table, bindings);
        }
    }
}
