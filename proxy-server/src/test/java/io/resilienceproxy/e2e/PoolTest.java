package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.resilienceproxy.resilience.BreakerState;
import io.resilienceproxy.testkit.ConnectionEnd;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.TestProxy;
import io.resilienceproxy.testkit.UnansweredPort;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The connections to one upstream: a limit over all event loops, and how they end. */
class PoolTest {

    private static final String IDLE = "resilience_proxy_pool_connections{state=\"idle\",upstream=\"up\"}";
    private static final String CONNECTING = "resilience_proxy_pool_connections{state=\"connecting\",upstream=\"up\"}";
    private static final String WAITING = "resilience_proxy_pool_waiting{upstream=\"up\"}";
    private static final String PATIENT = "timeouts: {connect: 9s, read: 20s, call: 40s}";

    /** Counts the requests that are being answered at once, which a limit of connections bounds. */
    private static final class Gauge {
        private final AtomicInteger now = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();

        void during(ThrowingRunnable work) throws Exception {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            try {
                work.run();
            } finally {
                now.decrementAndGet();
            }
        }
    }

    private interface ThrowingRunnable {
        void run() throws Exception;
    }

    private static TestProxy twoLoops(int upstreamPort, int limit) {
        return TestProxy.start(
                "threads: 2\nupstreams:\n  up: {url: 'http://127.0.0.1:" + upstreamPort + "', pool: {max-connections: "
                        + limit + "}, bulkhead: {max-concurrent-calls: 100},"
                        + " timeouts: {connect: 3s, read: 20s, call: 40s}}\n");
    }

    /**
     * Callers are spread over the loops in turn. Those of one loop have sent far more than can be answered, so that
     * someone waits there at any time; those of the other must be served all the same, be it over one connection.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void theLimitHoldsOverAllLoopsAndNoLoopStarves(int limit) throws InterruptedException {
        Gauge busy = new Gauge();
        try (ScriptedUpstream upstream = ScriptedUpstream.start((request, reply) -> {
                    busy.during(() -> reply.pause(Duration.ofMillis(1)));
                    reply.respond(200, "ok");
                });
                TestProxy proxy = twoLoops(upstream.port(), limit);
                Callers callers = Callers.of(proxy, 10)) {
            List<Thread> greedy = new ArrayList<>();
            for (int i = 0; i < 10; i += 2) {
                greedy.add(sendingForEver(callers.get(i)));
            }
            await().until(() -> proxy.metric(WAITING) > 1);
            for (int round = 0; round < 10; round++) {
                for (int i = 1; i < 10; i += 2) {
                    callers.get(i).sendRequest("GET", "/up/", "localhost");
                }
                for (int i = 1; i < 10; i += 2) {
                    assertThat(callers.get(i).readResponse("GET").status()).isEqualTo(200);
                }
            }

            callers.reset();
            for (Thread thread : greedy) {
                thread.join();
            }
            assertThat(callers.all()).noneMatch(client -> client.received().contains(" 503 "));
            assertThat(busy.most.get()).isBetween(1, limit);
        }
    }

    private static Thread sendingForEver(RawClient client) {
        byte[] requests =
                "GET /up/ HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(1000).getBytes(StandardCharsets.US_ASCII);
        Thread thread = new Thread(() -> {
            try {
                while (true) {
                    client.send(requests);
                }
            } catch (UncheckedIOException closed) {
                return;
            }
        });
        thread.start();
        return thread;
    }

    /** What one loop keeps idle must not keep the other waiting. */
    @Test
    void anIdleConnectionOfOneLoopMakesRoomForTheOther() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = twoLoops(upstream.port(), 1)) {
            for (int i = 0; i < 20; i++) {
                try (RawClient client = proxy.connect()) {
                    assertThat(client.get("/up/", "localhost").status()).isEqualTo(200);
                    await().until(() -> proxy.metric(IDLE) == 1);
                }
            }

            assertThat(upstream.openConnections()).isEqualTo(1);
            assertThat(upstream.connections()).hasSizeGreaterThan(1);
        }
    }

    @Test
    void whoWaitsInVainForAPlaceIsToldSoAndTheBreakerIsNot() {
        CountDownLatch release = new CountDownLatch(1);
        try (ScriptedUpstream upstream = ScriptedUpstream.start(
                        (request, reply) -> reply.await(release).respond(200, "ok"));
                TestProxy proxy = TestProxy.of(
                        upstream.port(),
                        "timeouts: {connect: 100ms, read: 20s, call: 40s}",
                        "pool: {max-connections: 1}",
                        "bulkhead: {max-concurrent-calls: 50}",
                        "circuit-breaker: {sliding-window-size: 5, minimum-number-of-calls: 2,"
                                + " slow-call-duration-threshold: 50ms}");
                RawClient first = proxy.connect();
                Callers others = Callers.of(proxy, 20)) {
            first.sendRequest("GET", "/up/", "localhost");
            upstream.awaitRequest();

            others.send("/up/").responses().forEach(response -> {
                Problem problem = Problem.of(response);
                assertThat(response.status()).isEqualTo(503);
                assertThat(problem.reason()).isEqualTo("pool-exhausted");
                assertThat(problem.outcome()).isEqualTo("not-sent");
                assertThat(problem.proxyStatus()).isEqualTo("resilience-proxy; error=connection_limit_reached");
                assertThat(response.field("Retry-After")).isEqualTo("1");
            });
            release.countDown();
            assertThat(first.readResponse("GET").status()).isEqualTo(200);
            assertThat(proxy.upstream("up").breaker().state()).isEqualTo(BreakerState.CLOSED);
            assertThat(
                            proxy.metric(
                                    "resilience_proxy_attempts_total{result=\"pool-exhausted\",route=\"default\",upstream=\"up\"}"))
                    .isEqualTo(20);
        }
    }

    /** A wait for a place of our own pool is no slowness of the upstream. */
    @Test
    void aWaitForAPlaceIsNotPartOfTheCallsTime() {
        CountDownLatch release = new CountDownLatch(1);
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.first(
                        1, (request, reply) -> reply.await(release).respond(200, "ok"), Scripts.ok()));
                TestProxy proxy = TestProxy.of(
                        upstream.port(),
                        PATIENT,
                        "pool: {max-connections: 1}",
                        "bulkhead: {max-concurrent-calls: 2}",
                        "circuit-breaker: {slow-call-duration-threshold: 1s}");
                RawClient first = proxy.connect();
                RawClient second = proxy.connect()) {
            first.sendRequest("GET", "/up/", "localhost");
            upstream.awaitRequest();
            second.sendRequest("GET", "/up/", "localhost");
            await().until(() -> proxy.metric(WAITING) == 1);
            await().pollDelay(Duration.ofMillis(1100)).until(() -> true);
            release.countDown();

            assertThat(second.readResponse("GET").status()).isEqualTo(200);
            assertThat(first.readResponse("GET").status()).isEqualTo(200);
            var counted = proxy.upstream("up").breaker().delegate().getMetrics();
            assertThat(counted.getNumberOfSlowCalls()).isEqualTo(1);
            assertThat(counted.getNumberOfSuccessfulCalls()).isEqualTo(2);
        }
    }

    @Test
    void anIdleConnectionIsClosedAfterItsTimeout() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = TestProxy.of(upstream.port(), "pool: {idle-timeout: 100ms}");
                RawClient client = proxy.connect()) {
            client.get("/up/", "localhost");

            assertThat(upstream.connection(1).awaitEnd(Duration.ofSeconds(5))).isEqualTo(ConnectionEnd.FIN);
            assertThat(client.get("/up/", "localhost").status()).isEqualTo(200);
            assertThat(upstream.connections()).hasSize(2);
        }
    }

    @Test
    void aConnectionInSteadyUseIsRetiredAtTheEndOfItsLife() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = TestProxy.of(upstream.port(), "pool: {max-lifetime: 300ms}");
                RawClient client = proxy.connect()) {
            await().atMost(Duration.ofSeconds(5)).until(() -> {
                assertThat(client.get("/up/", "localhost").status()).isEqualTo(200);
                return upstream.connections().size() == 3;
            });

            assertThat(upstream.openConnections()).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void aConnectThatNobodyWaitsForAnyMoreIsGivenUp() {
        try (UnansweredPort port = UnansweredPort.open();
                TestProxy proxy = TestProxy.of(port.port(), PATIENT, "pool: {max-connections: 1}")) {
            try (RawClient client = proxy.connect()) {
                client.sendRequest("GET", "/up/", "localhost");
                await().until(() -> proxy.metric(CONNECTING) == 1);
            }

            await().atMost(Duration.ofSeconds(5)).until(() -> proxy.metric(CONNECTING) == 0);
            proxy.awaitNothingHeld();
        }
    }

    @Test
    void aCallerThatLeavesWhileItWaitsForAPlaceLeavesNothingBehind() {
        CountDownLatch release = new CountDownLatch(1);
        try (ScriptedUpstream upstream = ScriptedUpstream.start(
                        (request, reply) -> reply.await(release).respond(200, "ok"));
                TestProxy proxy = TestProxy.of(
                        upstream.port(), PATIENT, "pool: {max-connections: 1}", "bulkhead: {max-concurrent-calls: 2}");
                RawClient first = proxy.connect()) {
            first.sendRequest("GET", "/up/", "localhost");
            upstream.awaitRequest();
            try (RawClient second = proxy.connect()) {
                second.sendRequest("GET", "/up/", "localhost");
                await().until(() -> proxy.metric(WAITING) == 1);
            }
            await().until(() -> proxy.metric(WAITING) == 0);
            release.countDown();

            assertThat(first.readResponse("GET").status()).isEqualTo(200);
            assertThat(upstream.requests()).hasSize(1);
        }
    }
}
