package io.resilienceproxy.routing;

import io.resilienceproxy.policy.Admin;
import io.resilienceproxy.policy.BulkheadPolicy;
import io.resilienceproxy.policy.CircuitBreakerPolicy;
import io.resilienceproxy.policy.DeadlinePolicy;
import io.resilienceproxy.policy.FallbackPolicy;
import io.resilienceproxy.policy.Limits;
import io.resilienceproxy.policy.ListenAddress;
import io.resilienceproxy.policy.Logging;
import io.resilienceproxy.policy.Mode;
import io.resilienceproxy.policy.Policy;
import io.resilienceproxy.policy.PoolPolicy;
import io.resilienceproxy.policy.Priority;
import io.resilienceproxy.policy.RetryPolicy;
import io.resilienceproxy.policy.RouteMatch;
import io.resilienceproxy.policy.RoutePolicy;
import io.resilienceproxy.policy.RoutePolicy.Protection;
import io.resilienceproxy.policy.Shutdown;
import io.resilienceproxy.policy.Timeouts;
import io.resilienceproxy.policy.TlsPolicy;
import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.policy.UpstreamUrl;
import io.resilienceproxy.resilience.BreakerListener;
import io.resilienceproxy.time.ManualClock;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/** Policies and tables with only that in them which decides about routing. */
final class Tables {

    private static final BreakerListener SILENT = (name, from, to, failureRate, slowCallRate) -> {};

    private Tables() {}

    static RouteTable table(UpstreamPolicy... upstreams) {
        return table(ListenAddress.DEFAULT_LISTEN, upstreams);
    }

    static RouteTable table(ListenAddress listen, UpstreamPolicy... upstreams) {
        return RouteTable.from(policy(listen, upstreams), new ManualClock(), SILENT);
    }

    static RouteTable following(RouteTable previous, UpstreamPolicy... upstreams) {
        return RouteTable.from(policy(ListenAddress.DEFAULT_LISTEN, upstreams), previous, new ManualClock(), SILENT);
    }

    private static Policy policy(ListenAddress listen, UpstreamPolicy... upstreams) {
        return new Policy(
                listen, 1, Admin.DEFAULT, Limits.DEFAULT, Shutdown.DEFAULT, Logging.DEFAULT, List.of(upstreams));
    }

    static UpstreamPolicy upstream(String name, String host, int port, String... hosts) {
        return upstream(name, new UpstreamUrl("http", host, port, ""), OptionalInt.empty(), List.of(hosts));
    }

    static UpstreamPolicy upstream(
            String name, UpstreamUrl url, OptionalInt listenPort, List<String> hosts, RoutePolicy... routes) {
        return new UpstreamPolicy(
                name,
                List.of(url),
                listenPort,
                hosts,
                PoolPolicy.DEFAULT,
                TlsPolicy.DEFAULT,
                null,
                route(RoutePolicy.DEFAULT_NAME, RouteMatch.ANY),
                List.of(routes));
    }

    /** A default route with these protections. */
    static RoutePolicy route(CircuitBreakerPolicy breaker, BulkheadPolicy bulkhead) {
        return route(RoutePolicy.DEFAULT_NAME, RouteMatch.ANY, breaker, bulkhead);
    }

    static RoutePolicy route(String name, RouteMatch match, Protection... own) {
        return route(
                name,
                match,
                CircuitBreakerPolicy.defaults(Timeouts.DEFAULT.read()),
                new BulkheadPolicy(4, BulkheadPolicy.DEFAULT_MAX_WAIT, 4),
                own);
    }

    private static RoutePolicy route(
            String name, RouteMatch match, CircuitBreakerPolicy breaker, BulkheadPolicy bulkhead, Protection... own) {
        return new RoutePolicy(
                name,
                match,
                Mode.ENFORCE,
                Timeouts.DEFAULT,
                DeadlinePolicy.DEFAULT,
                false,
                Priority.NORMAL,
                bulkhead,
                breaker,
                RetryPolicy.DEFAULT,
                FallbackPolicy.OFF,
                Set.of(own));
    }
}
