package io.resilienceproxy.bench;

import io.resilienceproxy.routing.RouteMatched;
import io.resilienceproxy.routing.RouteTable;
import io.resilienceproxy.time.Clock;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Finding the route of a request; must not depend on the number of upstreams. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RouteMatchBenchmark {

    @Param({"1", "100"})
    int upstreams;

    private String target = "";
    private String host = "";
    private @Nullable RouteTable table;

    @Setup
    public void setUp() {
        table = RouteTable.from(Policies.of(upstreams, ""), Clock.SYSTEM, (name, from, to, failures, slow) -> {});
        target = "/u" + (upstreams - 1) + "/v1/orders?id=17";
        host = "u" + (upstreams - 1) + ".test:9000";
    }

    @Benchmark
    public @Nullable RouteMatched byFirstSegment() {
        return table.match(RouteTable.SHARED_LISTENER, null, "localhost:8480", "GET", target);
    }

    @Benchmark
    public @Nullable RouteMatched byHost() {
        return table.match(RouteTable.SHARED_LISTENER, null, host, "GET", "/v1/orders?id=17");
    }
}
