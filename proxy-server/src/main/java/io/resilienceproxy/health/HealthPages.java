package io.resilienceproxy.health;

import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.pool.ConnectionPool;
import io.resilienceproxy.routing.RouteTable;
import io.resilienceproxy.routing.Upstream;
import io.resilienceproxy.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What {@code /health} and {@code /health/<upstream>} say, as JSON. Thread-safe. */
public final class HealthPages {

    /**
     * One page.
     *
     * @param status 200, or 503 where something is down
     * @param json the whole body
     */
    public record Page(int status, String json) {}

    private final Supplier<RouteTable> table;
    private final Function<UpstreamPolicy, List<ConnectionPool>> pools;
    private final HealthChecks checks;
    private final Clock clock;

    /** @param table the one in use, @param pools those in use of an upstream, one for each url */
    public HealthPages(
            Supplier<RouteTable> table,
            Function<UpstreamPolicy, List<ConnectionPool>> pools,
            HealthChecks checks,
            Clock clock) {
        this.table = table;
        this.pools = pools;
        this.checks = checks;
        this.clock = clock;
    }

    /** Of one upstream, when its probes are there; null: there is no such upstream. */
    public @Nullable CompletionStage<Page> of(String name) {
        for (Upstream upstream : table.get().upstreams()) {
            if (upstream.name().equals(name)) {
                return probe(name).thenApply(probed -> page(probed.state(), upstreamJson(upstream, probed)));
            }
        }
        return null;
    }

    /** Of all upstreams, when all probes are there. */
    public CompletionStage<Page> all() {
        List<Upstream> upstreams = table.get().upstreams();
        List<CompletableFuture<Probed>> probes = new ArrayList<>();
        for (Upstream upstream : upstreams) {
            probes.add(probe(upstream.name()));
        }
        return allOf(probes).thenApply(all -> {
            HealthState worst = HealthState.UNKNOWN;
            StringBuilder parts = new StringBuilder();
            for (int i = 0; i < all.size(); i++) {
                worst = worst.worse(all.get(i).state());
                parts.append(i == 0 ? "" : ",").append(upstreamJson(upstreams.get(i), all.get(i)));
            }
            return page(worst, "{\"status\":\"" + worst + "\",\"upstreams\":[" + parts + "]}");
        });
    }

    private static <T> CompletableFuture<List<T>> allOf(List<CompletableFuture<T>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
                .thenApply(ignored -> futures.stream().map(HealthPages::outcome).toList());
    }

    /** All of them are complete: nobody waits here. */
    private static <T> T outcome(CompletableFuture<T> complete) {
        return complete.join();
    }

    /** The outcomes for the urls of one upstream, in their order. */
    private record Probed(List<HealthChecks.Site> sites, List<ProbeResult> results) {

        /** One url that works is enough: attempts go there. */
        HealthState state() {
            if (results.isEmpty()) {
                return HealthState.UNKNOWN;
            }
            return results.stream().anyMatch(ProbeResult::isUp) ? HealthState.UP : HealthState.DOWN;
        }
    }

    private CompletableFuture<Probed> probe(String upstream) {
        List<HealthChecks.Site> sites = checks.of(upstream);
        List<CompletableFuture<ProbeResult>> asked = new ArrayList<>();
        sites.forEach(site -> asked.add(site.check().ask().toCompletableFuture()));
        return allOf(asked).thenApply(results -> new Probed(sites, results));
    }

    private static Page page(HealthState state, String json) {
        return new Page(state == HealthState.DOWN ? 503 : 200, json + "\n");
    }

    private String upstreamJson(Upstream upstream, Probed probed) {
        StringBuilder json = new StringBuilder(512)
                .append("{\"upstream\":\"")
                .append(upstream.name())
                .append("\",\"status\":\"")
                .append(probed.state())
                .append("\",\"probes\":[");
        for (int i = 0; i < probed.results().size(); i++) {
            json.append(i == 0 ? "" : ",");
            appendProbe(
                    json, probed.sites().get(i).url().site(), probed.results().get(i));
        }
        json.append(']');
        ProtectionsJson.append(json, upstream);
        json.append(",\"pools\":[");
        pools.apply(upstream.policy()).forEach(pool -> appendPool(json, pool));
        return json.append("]}").toString();
    }

    /** A site is a host and a port as the policy allows them: there is nothing to escape. */
    private void appendProbe(StringBuilder json, String site, ProbeResult result) {
        json.append("{\"site\":\"")
                .append(site)
                .append("\",\"status\":")
                .append(result.status() == 0 ? "null" : Integer.toString(result.status()))
                .append(",\"failure\":")
                .append(result.failure() == null ? "null" : '"' + result.failure() + '"')
                .append(",\"duration_ms\":")
                .append(result.durationMillis())
                .append(",\"age_ms\":")
                .append(result.ageMillis(clock.nanoTime()))
                .append('}');
    }

    private static void appendPool(StringBuilder json, ConnectionPool pool) {
        json.append(json.charAt(json.length() - 1) == '[' ? "" : ",")
                .append("{\"site\":\"")
                .append(pool.url().site())
                .append("\",\"limit\":")
                .append(pool.limit())
                .append(",\"idle\":")
                .append(pool.idle())
                .append(",\"active\":")
                .append(pool.active())
                .append(",\"connecting\":")
                .append(pool.connecting())
                .append(",\"waiting\":")
                .append(pool.waiting())
                .append('}');
    }
}
