package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.resilience.BreakerState;
import io.resilienceproxy.testkit.FastUpstream;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.TestProxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * A reload every second under load. {@code -Dreload.seconds=60} is the long form.
 */
class ReloadUnderLoadTest {

    private static final int SECONDS = Integer.getInteger("reload.seconds", 10);
    private static final int CALLERS = 8;
    private static final long MEBIBYTE = 1024 * 1024;

    @Test
    void losesNoRequestAndTouchesNoOtherBreaker() throws Exception {
        AtomicBoolean loading = new AtomicBoolean(true);
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try (FastUpstream fast = FastUpstream.start();
                ScriptedUpstream failing = ScriptedUpstream.start(Scripts.status(500, "no"));
                TestProxy proxy = TestProxy.start(policy(fast, failing, 0))) {
            trip(proxy);
            List<Future<Integer>> answered = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                answered.add(callers.submit(() -> call(proxy, loading)));
            }
            for (int round = 1; round <= SECONDS; round++) {
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
                proxy.reload(policy(fast, failing, round));
                assertThat(proxy.upstream("failing").breaker().state()).isEqualTo(BreakerState.OPEN);
                assertThat(proxy.upstream("fast").breaker().state()).isEqualTo(BreakerState.CLOSED);
            }
            loading.set(false);
            int total = 0;
            for (Future<Integer> one : answered) {
                total += one.get(10, TimeUnit.SECONDS);
            }
            assertThat(fast.requests()).isEqualTo(total);
            assertThat(total).as("requests in all").isGreaterThan(100 * SECONDS);
            assertThat(proxy.metric(
                            "resilience_proxy_attempts_total{result=\"2xx\",route=\"default\",upstream=\"fast\"}"))
                    .isEqualTo(total);
        } finally {
            loading.set(false);
            callers.shutdownNow();
        }
    }

    private static int call(TestProxy proxy, AtomicBoolean loading) {
        int answered = 0;
        try (RawClient client = proxy.connect()) {
            while (loading.get()) {
                assertThat(client.get("/fast/x", "localhost").status()).isEqualTo(200);
                answered++;
                // A few thousand a second in all: the machine has other things to do.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        }
        return answered;
    }

    private static void trip(TestProxy proxy) {
        try (RawClient client = proxy.connect()) {
            for (int i = 0; i < 10; i++) {
                client.get("/failing/x", "localhost");
            }
        }
        assertThat(proxy.upstream("failing").breaker().state()).isEqualTo(BreakerState.OPEN);
    }

    /** Every round changes something else of the fast upstream, and another upstream comes and goes. */
    private static String policy(FastUpstream fast, ScriptedUpstream failing, int round) {
        return """
                upstreams:
                  failing:
                    url: %s
                    retry: {max-attempts: 1}
                    circuit-breaker: {wait-duration-in-open-state: 10m}
                  fast:
                    url: %s
                    timeouts: {connect: 5s, read: 20s, call: 40s}
                    pool: {max-connections: %d, idle-timeout: %dm}
                    bulkhead: {max-concurrent-calls: %d}
                    circuit-breaker: {failure-rate-threshold: %d}
                    retry: {max-attempts: 1, budget: {max-tokens: %d}}
                  %s:
                    url: http://127.0.0.1:1
                """.formatted(
                        failing.url(),
                        fast.url(),
                        20 + round % 3,
                        2 + round / 3 % 2,
                        12 + round % 4,
                        40 + round % 2,
                        5 + round % 2,
                        "guest" + round % 2);
    }

    @Test
    void aHundredReloadsLeaveHeapAndSeriesFlat() {
        try (FastUpstream fast = FastUpstream.start();
                ScriptedUpstream failing = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = TestProxy.start(policy(fast, failing, 0));
                RawClient client = proxy.connect()) {
            reload(proxy, client, fast, failing, 50);
            long series = series(proxy);
            long heap = usedAfterCollection();
            reload(proxy, client, fast, failing, 100);

            assertThat(series(proxy)).isEqualTo(series);
            assertThat(usedAfterCollection() - heap).as("bytes more").isLessThan(2 * MEBIBYTE);
        }
    }

    private static void reload(
            TestProxy proxy, RawClient client, FastUpstream fast, ScriptedUpstream failing, int times) {
        for (int round = 0; round < times; round++) {
            proxy.reload(policy(fast, failing, round));
            assertThat(client.get("/fast/x", "localhost").status()).isEqualTo(200);
        }
    }

    /** Those of the JVM depend on what has been collected. */
    private static long series(TestProxy proxy) {
        return proxy.metrics()
                .lines()
                .filter(line -> line.startsWith("resilience"))
                .count();
    }

    private static long usedAfterCollection() {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }
}
