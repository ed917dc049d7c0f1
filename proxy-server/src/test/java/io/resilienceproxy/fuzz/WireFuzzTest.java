package io.resilienceproxy.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.TestProxy;
import io.resilienceproxy.testkit.UpstreamRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Mutates, splits and delays exchanges on both sides: nothing hangs, nothing is forwarded twice, what reaches the upstream is
 * well formed, no answer goes to another's request, and everything comes back.
 *
 * <p>{@code -Dfuzz.seconds=600} fuzzes longer; {@code -Dfuzz.seed=n} repeats one episode.
 */
class WireFuzzTest {

    private static final int CALLERS = 60;
    private static final int THREADS = 8;

    private static final String POLICY = """
            limits: {header-timeout: 1500ms, idle-timeout: 1500ms}
            defaults:
              timeouts: {connect: 2500ms, read: 3s, call: 7s}
              pool: {max-connections: 40}
              bulkhead: {max-concurrent-calls: 30}
              retry: {max-attempts: 1}
              circuit-breaker: {sliding-window-size: 10000, minimum-number-of-calls: 10000}
            upstreams:
              good: {url: "http://127.0.0.1:%1$d/good"}
              bad: {url: "http://127.0.0.1:%1$d/bad"}
            """;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void holdsUnderKnownSeeds(long seed) throws Exception {
        episode(seed);
    }

    @Test
    void holdsForAsLongAsItIsAsked() throws Exception {
        Long only = Long.getLong("fuzz.seed");
        if (only != null) {
            episode(only);
            return;
        }
        Instant end = Instant.now().plusSeconds(Integer.getInteger("fuzz.seconds", 5));
        for (long seed = Instant.now().toEpochMilli(); Instant.now().isBefore(end); seed++) {
            episode(seed);
        }
    }

    private static void episode(long seed) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(THREADS);
        try (ScriptedUpstream upstream = ScriptedUpstream.start(new FuzzUpstream(seed));
                TestProxy proxy = TestProxy.start(POLICY.formatted(upstream.port()))) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                FuzzCaller caller = new FuzzCaller(seed * CALLERS + i, String.valueOf(i));
                running.add(callers.submit(() -> {
                    caller.run(proxy.port());
                    return null;
                }));
            }
            for (Future<?> each : running) {
                await(each, seed);
            }
            proxy.awaitNothingHeld();
            assertForwardedOnce(upstream.requests(), seed);
            assertThat(upstream.faults())
                    .as("seed %d: ill-formed bytes at the upstream", seed)
                    .isEmpty();
        } finally {
            callers.shutdownNow();
        }
    }

    private static void await(Future<?> caller, long seed) throws InterruptedException {
        try {
            caller.get();
        } catch (ExecutionException e) {
            throw new AssertionError("seed " + seed, e.getCause());
        }
    }

    /** A repeatable one may be seen twice: on a pooled connection that turned out dead, and on a fresh one. */
    private static void assertForwardedOnce(List<UpstreamRequest> requests, long seed) {
        requests.stream()
                .filter(request -> request.target().contains("-"))
                .collect(Collectors.groupingBy(
                        request -> request.method() + " " + request.target(),
                        Collectors.mapping(Function.identity(), Collectors.counting())))
                .forEach((request, times) -> assertThat(times)
                        .as("seed %d: %s", seed, request)
                        .isLessThanOrEqualTo(request.startsWith("P") ? 1 : 2));
    }
}
