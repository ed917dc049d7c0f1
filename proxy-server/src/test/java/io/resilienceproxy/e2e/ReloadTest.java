package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.resilienceproxy.resilience.BreakerState;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.TestProxy;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ReloadTest {

    private static final String BREAKER =
            "{sliding-window-size: 4, minimum-number-of-calls: 2, failure-rate-threshold: %d}";

    @Test
    void anOpenBreakerStaysOpenThroughAnotherUpstreamsChangeAndItsOwn() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.status(500, "no"));
                TestProxy proxy = TestProxy.start(breaking(upstream, 50, ""));
                RawClient client = proxy.connect()) {
            client.get("/up/1", "localhost");
            client.get("/up/2", "localhost");
            long open = proxy.upstream("up").breaker().remainingOpenNanos();
            assertThat(open).isPositive();

            proxy.reload(breaking(upstream, 50, "  other: {url: 'http://127.0.0.1:1'}\n"));
            assertThat(proxy.upstream("up").breaker().state()).isEqualTo(BreakerState.OPEN);
            proxy.reload(breaking(upstream, 90, ""));

            assertThat(proxy.upstream("up").breaker().state()).isEqualTo(BreakerState.OPEN);
            assertThat(proxy.upstream("up").breaker().remainingOpenNanos())
                    .isPositive()
                    .isLessThanOrEqualTo(open);
            RawResponse refused = client.get("/up/3", "localhost");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.bodyText()).contains("circuit-open");
            assertThat(upstream.requests()).hasSize(2);
            assertThat(proxy.metric("resilience_proxy_breaker_state{breaker=\"up\",state=\"open\",upstream=\"up\"}"))
                    .isEqualTo(1);
            assertThat(proxy.metric(
                            "resilience_proxy_attempts_total{result=\"5xx\",route=\"default\",upstream=\"up\"}"))
                    .isEqualTo(2);
        }
    }

    private static String breaking(ScriptedUpstream upstream, int failureRate, String more) {
        return "upstreams:\n  up:\n    url: " + upstream.url() + "\n    retry: {max-attempts: 1}\n    circuit-breaker: "
                + BREAKER.formatted(failureRate) + "\n" + more;
    }

    @Test
    void exchangesEndWithWhatTheyBeganAndTheOldPoolDrains() {
        CountDownLatch answer = new CountDownLatch(1);
        try (ScriptedUpstream first = ScriptedUpstream.start(
                        (request, reply) -> reply.await(answer).respond(200, "first"));
                ScriptedUpstream second = ScriptedUpstream.start(Scripts.status(200, "second"));
                TestProxy proxy = TestProxy.of(first.port());
                RawClient waiting = proxy.connect();
                RawClient next = proxy.connect()) {
            waiting.sendRequest("GET", "/up/x", "localhost");
            first.awaitRequest();
            proxy.reload("upstreams: {up: {url: '" + second.url() + "'}}");

            assertThat(next.get("/up/y", "localhost").bodyText()).isEqualTo("second");
            answer.countDown();
            assertThat(waiting.readFinalResponse("GET").bodyText()).isEqualTo("first");
            assertThat(waiting.get("/up/z", "localhost").bodyText())
                    .as("the same connection, a new exchange")
                    .isEqualTo("second");
            await().until(() -> first.openConnections() == 0);
        }
    }

    @Test
    void aRemovedUpstreamDrainsAndIsGoneForNewRequests() {
        CountDownLatch end = new CountDownLatch(1);
        try (ScriptedUpstream upstream = ScriptedUpstream.start((request, reply) -> {
                    reply.startChunked(200).chunk("begun,");
                    reply.await(end).chunk("ended").endChunks();
                });
                ScriptedUpstream other = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = TestProxy.of(upstream.port());
                RawClient streaming = proxy.connect();
                RawClient next = proxy.connect()) {
            streaming.sendRequest("GET", "/up/stream", "localhost");
            await().until(() -> streaming.received().contains("begun,"));
            proxy.reload("upstreams: {other: {url: '" + other.url() + "'}}");

            assertThat(next.get("/up/x", "localhost").status()).isEqualTo(404);
            assertThat(next.get("/other/x", "localhost").status()).isEqualTo(200);
            end.countDown();
            assertThat(streaming.readFinalResponse("GET").bodyText()).isEqualTo("begun,ended");
            await().until(() -> upstream.openConnections() == 0);
            assertThat(proxy.metrics()).doesNotContain("pool_limit{upstream=\"up\"}");
        }
    }

    @Test
    void anUnchangedUpstreamKeepsItsConnections() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = TestProxy.of(upstream.port());
                RawClient client = proxy.connect()) {
            client.get("/up/1", "localhost");
            proxy.reload("upstreams:\n  new: {url: 'http://127.0.0.1:1'}\n  up: {url: '" + upstream.url()
                    + "', timeouts: {read: 3s, call: 9s}}\n");
            client.get("/up/2", "localhost");

            assertThat(upstream.connections()).hasSize(1);
        }
    }

    @Test
    void connectionsAboveALowerLimitAreClosedAsTheyAreReleased() {
        CountDownLatch answer = new CountDownLatch(1);
        try (ScriptedUpstream upstream = ScriptedUpstream.start(
                        (request, reply) -> reply.await(answer).respond(200, "ok"));
                TestProxy proxy = TestProxy.of(upstream.port(), "pool: {max-connections: 5}");
                RawClient one = proxy.connect();
                RawClient two = proxy.connect();
                RawClient three = proxy.connect()) {
            for (RawClient client : new RawClient[] {one, two, three}) {
                client.sendRequest("GET", "/up/x", "localhost");
            }
            await().until(() -> upstream.requests().size() == 3);
            proxy.reload("upstreams: {up: {url: '" + upstream.url() + "', pool: {max-connections: 1}}}");
            answer.countDown();
            for (RawClient client : new RawClient[] {one, two, three}) {
                assertThat(client.readFinalResponse("GET").status()).isEqualTo(200);
            }

            await().until(() -> upstream.openConnections() == 1);
            assertThat(one.get("/up/y", "localhost").status()).isEqualTo(200);
            assertThat(upstream.connections()).hasSize(3);
        }
    }

    @Test
    void permitsThatAreOutCountUnderTheNewLimit() {
        CountDownLatch answer = new CountDownLatch(1);
        try (ScriptedUpstream upstream = ScriptedUpstream.start(
                        (request, reply) -> reply.await(answer).respond(200, "ok"));
                TestProxy proxy = TestProxy.of(upstream.port());
                RawClient holding = proxy.connect();
                RawClient refused = proxy.connect()) {
            holding.sendRequest("GET", "/up/x", "localhost");
            upstream.awaitRequest();
            proxy.reload("upstreams: {up: {url: '" + upstream.url()
                    + "', bulkhead: {max-concurrent-calls: 1, max-waiting: 0}}}");

            assertThat(refused.get("/up/y", "localhost").bodyText()).contains("bulkhead-full");
            answer.countDown();
            assertThat(holding.readFinalResponse("GET").status()).isEqualTo(200);
            assertThat(refused.get("/up/z", "localhost").status()).isEqualTo(200);
        }
    }
}
