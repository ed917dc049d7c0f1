package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.resilienceproxy.resilience.BreakerState;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.TestProxy;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A full bulkhead refuses at once, and blames nobody (rules BH-1 to BH-3). */
class BulkheadTest {

    private static final String TWO = "bulkhead: {max-concurrent-calls: 2, max-wait-duration: 0ms}";
    private static final String JUMPY_BREAKER =
            "circuit-breaker: {sliding-window-size: 5, minimum-number-of-calls: 5, failure-rate-threshold: 1}";
    private static final String WAITING = "resilience_proxy_bulkhead_waiting{bulkhead=\"up\",upstream=\"up\"}";

    @Test
    void twoOfEightCallersAreServedAndSixAreRefusedAtOnce() {
        CountDownLatch answer = new CountDownLatch(1);
        try (ScriptedUpstream upstream = ScriptedUpstream.start(
                        (request, reply) -> reply.await(answer).respond(200, "ok"));
                TestProxy proxy = TestProxy.of(upstream.port(), TWO, JUMPY_BREAKER);
                Callers admitted = Callers.of(proxy, 2).send("/up/");
                Callers refused = Callers.of(proxy, 6)) {
            await().until(() -> upstream.requests().size() == 2);
            refused.send("/up/");

            List<RawResponse> refusals = refused.responses();
            answer.countDown();
            for (RawResponse refusal : refusals) {
                Problem problem = Problem.of(refusal);
                assertThat(refusal.status()).isEqualTo(503);
                assertThat(refusal.field("Retry-After")).isEqualTo("1");
                assertThat(problem.reason()).isEqualTo("bulkhead-full");
                assertThat(problem.outcome()).isEqualTo("not-sent");
                assertThat(problem.attempts()).isZero();
                assertThat(problem.proxyStatus()).isEqualTo("resilience-proxy; error=connection_limit_reached");
            }
            assertThat(admitted.responses()).allMatch(response -> response.status() == 200);
            assertThat(upstream.requests()).hasSize(2);
            assertThat(proxy.upstream("up").breaker().state()).isEqualTo(BreakerState.CLOSED);
            assertThat(
                            proxy.metric(
                                    "resilience_proxy_bulkhead_rejections_total{bulkhead=\"up\",mode=\"enforce\",upstream=\"up\"}"))
                    .isEqualTo(6);
        }
    }

    @Test
    void aRefusalIsNotRetried() {
        CountDownLatch answer = new CountDownLatch(1);
        try (ScriptedUpstream upstream = ScriptedUpstream.start(
                        (request, reply) -> reply.await(answer).respond(200, "ok"));
                TestProxy proxy = TestProxy.of(
                        upstream.port(),
                        "bulkhead: {max-concurrent-calls: 1, max-wait-duration: 0ms}",
                        "retry: {retry-on: [connect-failure, reset, timeout, 5xx]}");
                RawClient admitted = proxy.connect();
                RawClient refused = proxy.connect()) {
            admitted.sendRequest("GET", "/up/", "localhost");
            upstream.awaitRequest();

            assertThat(Problem.of(refused.get("/up/", "localhost")).reason()).isEqualTo("bulkhead-full");
            answer.countDown();
            assertThat(admitted.readResponse("GET").status()).isEqualTo(200);
            assertThat(
                            proxy.metric(
                                    "resilience_proxy_attempts_total{result=\"bulkhead-full\",route=\"default\",upstream=\"up\"}"))
                    .isEqualTo(1);
            assertThat(proxy.upstream("up").budget().balanceThousandths()).isEqualTo(5200);
        }
    }

    @Test
    void aPermitThatComesBackServesWhoWaits() {
        CountDownLatch answer = new CountDownLatch(1);
        try (ScriptedUpstream upstream = ScriptedUpstream.start(
                        (request, reply) -> reply.await(answer).respond(200, "ok"));
                TestProxy proxy =
                        TestProxy.of(upstream.port(), "bulkhead: {max-concurrent-calls: 1, max-wait-duration: 20s}");
                Callers callers = Callers.of(proxy, 2).send("/up/")) {
            await().until(() -> proxy.metric(WAITING) == 1);
            answer.countDown();

            assertThat(callers.responses()).allMatch(response -> response.status() == 200);
        }
    }

    @Test
    void whoWaitsInVainIsRefusedLikeTheRest() {
        CountDownLatch answer = new CountDownLatch(1);
        try (ScriptedUpstream upstream = ScriptedUpstream.start(
                        (request, reply) -> reply.await(answer).respond(200, "ok"));
                TestProxy proxy =
                        TestProxy.of(upstream.port(), "bulkhead: {max-concurrent-calls: 1, max-wait-duration: 50ms}");
                RawClient admitted = proxy.connect();
                RawClient waiting = proxy.connect()) {
            admitted.sendRequest("GET", "/up/", "localhost");
            upstream.awaitRequest();

            Problem problem = Problem.of(waiting.get("/up/", "localhost"));
            assertThat(problem.reason()).isEqualTo("bulkhead-full");
            assertThat(problem.outcome()).isEqualTo("not-sent");
            answer.countDown();
            assertThat(admitted.readResponse("GET").status()).isEqualTo(200);
        }
    }

    /** Queueing spends the caller's deadline, and ends with it. */
    @Test
    void noOneWaitsBeyondTheirDeadline() {
        CountDownLatch answer = new CountDownLatch(1);
        try (ScriptedUpstream upstream = ScriptedUpstream.start(
                        (request, reply) -> reply.await(answer).respond(200, "ok"));
                TestProxy proxy =
                        TestProxy.of(upstream.port(), "bulkhead: {max-concurrent-calls: 1, max-wait-duration: 20s}");
                RawClient admitted = proxy.connect();
                RawClient waiting = proxy.connect()) {
            admitted.sendRequest("GET", "/up/", "localhost");
            upstream.awaitRequest();

            Problem problem = Problem.of(waiting.get("/up/", "localhost", "X-Request-Deadline-Ms: 300"));
            assertThat(problem.response().status()).isEqualTo(504);
            assertThat(problem.reason()).isEqualTo("deadline-exhausted");
            assertThat(problem.outcome()).isEqualTo("not-sent");
            answer.countDown();
            assertThat(admitted.readResponse("GET").status()).isEqualTo(200);
        }
    }
}
