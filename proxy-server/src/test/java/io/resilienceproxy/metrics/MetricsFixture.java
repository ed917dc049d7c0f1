package io.resilienceproxy.metrics;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.resilienceproxy.outcome.Verdict;
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
import io.resilienceproxy.resilience.Breaker;
import io.resilienceproxy.resilience.BreakerPermit;
import io.resilienceproxy.routing.Route;
import io.resilienceproxy.routing.RouteTable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/** Meters in a registry of their own, over a table of upstreams that each have a route "reports" with everything its own. */
final class MetricsFixture {

    final MovedClock clock = new MovedClock();
    final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT).throwExceptionOnRegistrationFailure();
    final ProxyMeters meters = new ProxyMeters(registry, clock);

    RouteTable table(String... upstreams) {
        return table(Arrays.stream(upstreams)
                .map(name -> upstream(name, name + ".test"))
                .toArray(UpstreamPolicy[]::new));
    }

    RouteTable table(UpstreamPolicy... upstreams) {
        Policy policy = new Policy(
                ListenAddress.DEFAULT_LISTEN,
                1,
                Admin.DEFAULT,
                Limits.DEFAULT,
                Shutdown.DEFAULT,
                Logging.DEFAULT,
                List.of(upstreams));
        return RouteTable.from(policy, clock, meters);
    }

    /** An upstream with a url on each of these hosts. */
    static UpstreamPolicy upstream(String name, String... hosts) {
        return new UpstreamPolicy(
                name,
                Arrays.stream(hosts)
                        .map(host -> new UpstreamUrl("http", host, 80, ""))
                        .toList(),
                OptionalInt.empty(),
                List.of(),
                PoolPolicy.DEFAULT,
                TlsPolicy.DEFAULT,
                null,
                route(RoutePolicy.DEFAULT_NAME, RouteMatch.ANY, Set.of()),
                List.of(route("reports", new RouteMatch("/reports", Set.of()), Set.of(Protection.values()))));
    }

    private static RoutePolicy route(String name, RouteMatch match, Set<Protection> own) {
        return new RoutePolicy(
                name,
                match,
                Mode.ENFORCE,
                Timeouts.DEFAULT,
                DeadlinePolicy.DEFAULT,
                false,
                Priority.NORMAL,
                new BulkheadPolicy(16, Duration.ofMillis(100), 16),
                CircuitBreakerPolicy.defaults(Duration.ofSeconds(2)),
                RetryPolicy.DEFAULT,
                FallbackPolicy.OFF,
                own);
    }

    static Route route(RouteTable table, String upstream, String name) {
        return table.routes().stream()
                .filter(route ->
                        route.upstreamName().equals(upstream) && route.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    static void settle(Breaker breaker, Verdict verdict, int calls) {
        for (int i = 0; i < calls; i++) {
            BreakerPermit permit = breaker.tryAcquire();
            if (permit != null) {
                permit.settle(verdict, 1_000_000);
            }
        }
    }

    String text() {
        return new String(meters.scrape(null).body(), StandardCharsets.UTF_8);
    }

    /** The series as they are read in the middle of a scrape. */
    String registryText() {
        return registry.scrape();
    }

    /** The value of one series, labels in the order of the exposition (by name). */
    double value(String series) {
        return text().lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no series " + series + " in\n" + text()));
    }

    boolean has(String series) {
        return text().lines().anyMatch(line -> line.startsWith(series));
    }
}
