package io.resilienceproxy.exchange;

import io.resilienceproxy.fallback.AnswerStore;
import io.resilienceproxy.http.RequestHead;
import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.policy.UpstreamUrl;
import io.resilienceproxy.pool.ConnectionPool;
import io.resilienceproxy.routing.Route;
import io.resilienceproxy.routing.RouteMatched;
import io.resilienceproxy.routing.RouteTable;
import io.resilienceproxy.time.Clock;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Begins exchanges: finds the route and binds it to its pools and its listener. An exchange keeps the table that it began
 * with. Thread-safe.
 */
public final class Dispatcher {

    private final Clock clock;
    private volatile Live live;

    /**
     * Asks for everything once per route.
     *
     * @param pools the pool of a url of an upstream
     * @param stores where the last good answers of an upstream are, null where none are kept
     */
    public Dispatcher(
            RouteTable table,
            BiFunction<UpstreamPolicy, UpstreamUrl, ConnectionPool> pools,
            Function<UpstreamPolicy, @Nullable AnswerStore> stores,
            TrafficListener traffic,
            Clock clock) {
        this(Live.of(table, pools, stores, traffic), clock);
    }

    private Dispatcher(Live live, Clock clock) {
        this.live = live;
        this.clock = clock;
    }

    /** Every request from now on is matched by this table. The arguments are those of the constructor. */
    public void replace(
            RouteTable table,
            BiFunction<UpstreamPolicy, UpstreamUrl, ConnectionPool> pools,
            Function<UpstreamPolicy, @Nullable AnswerStore> stores,
            TrafficListener traffic) {
        live = Live.of(table, pools, stores, traffic);
    }

    /** One that stays at the present table, for connections that end with it. */
    public Dispatcher fixed() {
        return new Dispatcher(live, clock);
    }

    /**
     * The exchange of a request, not started yet; null when no route matches.
     *
     * @param listenPort as {@link RouteTable#match} takes it
     */
    public @Nullable Exchange dispatch(RequestHead head, int listenPort, Downstream downstream) {
        Live present = live;
        RouteMatched matched = present.table.match(
                listenPort, head.authority(), head.fields().get("host"), head.method(), head.target());
        if (matched == null) {
            return null;
        }
        RouteBinding binding = present.bindings[matched.route().index()];
        return new Exchange(binding, head, matched.prefixLength(), downstream, clock);
    }

    private record Live(RouteTable table, RouteBinding[] bindings) {

        static Live of(
                RouteTable table,
                BiFunction<UpstreamPolicy, UpstreamUrl, ConnectionPool> pools,
                Function<UpstreamPolicy, @Nullable AnswerStore> stores,
                TrafficListener traffic) {
            RouteBinding[] bindings = new RouteBinding[table.routes().size()];
            for (Route route : table.routes()) {
                bindings[route.index()] = new RouteBinding(
                        route,
                        url -> pools.apply(route.upstream(), url)::on,
                        stores.apply(route.upstream()),
                        traffic.forRoute(route));
            }
            return new Live(table, bindings);
        }
    }
}
