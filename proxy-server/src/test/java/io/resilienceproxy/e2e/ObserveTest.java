package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.resilienceproxy.resilience.BreakerState;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.TestProxy;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** {@code mode: observe}: everything is decided and counted, nothing is refused. */
class ObserveTest {

    private static final String BREAKER =
            "circuit-breaker: {sliding-window-size: 4, minimum-number-of-calls: 2, failure-rate-threshold: 50}";

    @Test
    void anOpenBreakerLetsEveryCallThroughAndCountsIt() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.status(500, "no"));
                TestProxy proxy = TestProxy.of(upstream.port(), "mode: observe", BREAKER, "retry: {max-attempts: 1}");
                RawClient client = proxy.connect()) {
            for (int i = 0; i < 5; i++) {
                assertThat(client.get("/up/" + i, "localhost").status()).isEqualTo(500);
            }

            assertThat(proxy.upstream("up").breaker().state()).isEqualTo(BreakerState.OPEN);
            assertThat(upstream.requests()).hasSize(5);
            assertThat(breakerRejections(proxy, "observe")).isEqualTo(3);
            assertThat(proxy.metric(
                            "resilience_proxy_attempts_total{result=\"5xx\",route=\"default\",upstream=\"up\"}"))
                    .isEqualTo(5);
        }
    }

    @Test
    void aFullBulkheadLetsEveryCallThroughAtOnceAndCountsIt() {
        CountDownLatch answer = new CountDownLatch(1);
        try (ScriptedUpstream upstream = ScriptedUpstream.start(
                        (request, reply) -> reply.await(answer).respond(200, "ok"));
                TestProxy proxy = TestProxy.of(
                        upstream.port(), "mode: observe", "bulkhead: {max-concurrent-calls: 1, max-waiting: 4}");
                RawClient one = proxy.connect();
                RawClient two = proxy.connect()) {
            one.sendRequest("GET", "/up/1", "localhost");
            two.sendRequest("GET", "/up/2", "localhost");
            await().until(() -> upstream.requests().size() == 2);
            answer.countDown();

            assertThat(one.readFinalResponse("GET").status()).isEqualTo(200);
            assertThat(two.readFinalResponse("GET").status()).isEqualTo(200);
            assertThat(
                            proxy.metric(
                                    "resilience_proxy_bulkhead_rejections_total{bulkhead=\"up\",mode=\"observe\",upstream=\"up\"}"))
                    .isEqualTo(1);
        }
    }

    @Test
    void anEmptyBudgetForbidsNoRetryAndCountsIt() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.status(503, "no"));
                TestProxy proxy = TestProxy.of(
                        upstream.port(),
                        "mode: observe",
                        "retry: {max-attempts: 2, wait-duration: 1ms, budget: {max-tokens: 2}}");
                RawClient client = proxy.connect()) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.get("/up/" + i, "localhost").status()).isEqualTo(503);
            }

            assertThat(upstream.requests()).hasSize(6);
            assertThat(
                            proxy.metric(
                                    "resilience_proxy_retry_budget_exhausted_total{budget=\"up\",mode=\"observe\",upstream=\"up\"}"))
                    .isEqualTo(2);
        }
    }

    @Test
    void enforcingBeginsWithAReloadAndWhatWasSeenCounts() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.status(500, "no"));
                TestProxy proxy = TestProxy.of(upstream.port(), "mode: observe", BREAKER, "retry: {max-attempts: 1}");
                RawClient client = proxy.connect()) {
            for (int i = 0; i < 3; i++) {
                client.get("/up/" + i, "localhost");
            }
            proxy.reload("upstreams:\n  up:\n    url: " + upstream.url() + "\n    " + BREAKER
                    + "\n    retry: {max-attempts: 1}\n");

            assertThat(client.get("/up/x", "localhost").status()).isEqualTo(503);
            assertThat(breakerRejections(proxy, "enforce")).isEqualTo(1);
            assertThat(breakerRejections(proxy, "observe")).isEqualTo(1);
        }
    }

    private static double breakerRejections(TestProxy proxy, String mode) {
        return proxy.metric(
                "resilience_proxy_breaker_rejections_total{breaker=\"up\",mode=\"" + mode + "\",upstream=\"up\"}");
    }
}
