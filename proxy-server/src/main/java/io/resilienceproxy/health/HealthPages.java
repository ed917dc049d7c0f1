package io.resilienceproxy.health;

import io.resilienceproxy.pool.ConnectionPool;
import io.resilienceproxy.routing.RouteTable;
import io.resilienceproxy.routing.Upstream;
import io.resilienceproxy.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
    private final Supplier<Map<String, ConnectionPool>> pools;
    private final HealthChecks checks;
    private final Clock clock;

    /** @param table the one in use, @param pools those in use, by upstream */
    public HealthPages(
            Supplier<RouteTable> table, Supplier<Map<String, ConnectionPool>> pools, HealthChecks checks, Clock clock) {
        this.table = table;
        this.pools = pools;
        this.checks = checks;
        this.clock = clock;
    }

    /** Of one upstream, when its probe is there; null: there is no such upstream. */
    public @Nullable CompletionStage<Page> of(String name) {
        for (Upstream upstream : table.get().upstreams()) {
            if (upstream.name().equals(name)) {
                return probe(name).thenApply(result -> page(result.state(), upstreamJson(upstream, result)));
            }
        }
        return null;
    }

    /** Of all upstreams, when all probes are there. */
    public CompletionStage<Page> all() {
        List<Upstream> upstreams = table.get().upstreams();
        List<CompletableFuture<Probed>> probes = new ArrayList<>();
        for (Upstream upstream : upstreams) {
            probes.add(probe(upstream.name()).toCompletableFuture());
        }
        return CompletableFuture.allOf(probes.toArray(CompletableFuture[]::new)).thenApply(ignored -> {
            HealthState worst = HealthState.UNKNOWN;
            StringBuilder parts = new StringBuilder();
            for (int i = 0; i < probes.size(); i++) {
                Probed probed = probes.get(i).getNow(Probed.NONE);
                worst = worst.worse(probed.state());
                parts.append(i == 0 ? "" : ",").append(upstreamJson(upstreams.get(i), probed));
            }
            return page(worst, "{\"status\":\"" + worst + "\",\"upstreams\":[" + parts + "]}");
        });
    }

    private record Probed(@Nullable ProbeResult result) {

        static final Probed NONE = new Probed(null);

        HealthState state() {
            return result == null ? HealthState.UNKNOWN : result.isUp() ? HealthState.UP : HealthState.DOWN;
        }
    }

    private CompletionStage<Probed> probe(String upstream) {
        HealthCheck check = checks.of(upstream);
        return check == null
                ? CompletableFuture.completedStage(Probed.NONE)
                : check.ask().thenApply(Probed::new);
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
                .append("\",\"probe\":");
        appendProbe(json, probed.result());
        ProtectionsJson.append(json, upstream);
        ConnectionPool pool = pools.get().get(upstream.name());
        if (pool != null) {
            json.append(",\"pool\":{\"limit\":")
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
        return json.append('}').toString();
    }

    private void appendProbe(StringBuilder json, @Nullable ProbeResult result) {
        if (result == null) {
            json.append("null");
            return;
        }
        json.append("{\"status\":")
                .append(result.status() == 0 ? "null" : Integer.toString(result.status()))
                .append(",\"failure\":")
                .append(result.failure() == null ? "null" : '"' + result.failure() + '"')
                .append(",\"duration_ms\":")
                .append(result.durationMillis())
                .append(",\"age_ms\":")
                .append(result.ageMillis(clock.nanoTime()))
                .append('}');
    }
}
