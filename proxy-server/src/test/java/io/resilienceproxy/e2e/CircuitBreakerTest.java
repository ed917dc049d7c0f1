package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.resilience.BreakerState;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.TestProxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An open breaker answers for the upstream; what opens it, and what must not (rules CB-2 to CB-6). */
class CircuitBreakerTest {

    private static final String OPENS_AFTER_FIVE =
            "circuit-breaker: {sliding-window-size: 5, minimum-number-of-calls: 5,"
                    + " wait-duration-in-open-state: 60s}";
    private static final String ONE_ATTEMPT = "retry: {max-attempts: 1}";

    private static void fail(RawClient client, int times) {
        for (int i = 0; i < times; i++) {
            assertThat(client.get("/up/", "localhost").status()).isEqualTo(503);
        }
    }

    @Test
    void nothingReachesAnUpstreamWhoseBreakerIsOpen() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.status(503, "no"));
                TestProxy proxy = TestProxy.of(upstream.port(), OPENS_AFTER_FIVE, ONE_ATTEMPT);
                RawClient client = proxy.connect()) {
            fail(client, 5);
            assertThat(proxy.upstream("up").breaker().state()).isEqualTo(BreakerState.OPEN);

            for (int i = 0; i < 20; i++) {
                RawResponse refusal = client.get("/up/", "localhost");
                Problem problem = Problem.of(refusal);
                assertThat(refusal.status()).isEqualTo(503);
                assertThat(problem.reason()).isEqualTo("circuit-open");
                assertThat(problem.outcome()).isEqualTo("not-sent");
                assertThat(problem.attempts()).isZero();
                assertThat(problem.proxyStatus()).isEqualTo("resilience-proxy; error=destination_unavailable");
                assertThat(Integer.parseInt(refusal.field("Retry-After"))).isBetween(50, 60);
            }

            assertThat(upstream.requests()).hasSize(5);
            assertThat(
                            proxy.metric(
                                    "resilience_proxy_own_answers_total{reason=\"circuit-open\",route=\"default\",upstream=\"up\"}"))
                    .isEqualTo(20);
            assertThat(proxy.metric("resilience_proxy_breaker_state{breaker=\"up\",state=\"open\",upstream=\"up\"}"))
                    .isEqualTo(1);
            assertThat(proxy.metric("resilience_proxy_breaker_state{breaker=\"up\",state=\"closed\",upstream=\"up\"}"))
                    .isZero();
        }
    }

    @Test
    void retryAfterIsTheTimeLeftInOpen() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.status(503, "no"));
                TestProxy proxy = TestProxy.of(
                        upstream.port(),
                        "circuit-breaker: {sliding-window-size: 5, minimum-number-of-calls: 5,"
                                + " wait-duration-in-open-state: 4500ms}",
                        ONE_ATTEMPT);
                RawClient client = proxy.connect()) {
            fail(client, 5);

            int told = Integer.parseInt(client.get("/up/", "localhost").field("Retry-After"));
            long leftNanos = proxy.upstream("up").breaker().remainingOpenNanos();
            assertThat(told).isBetween((int) (leftNanos / 1_000_000_000L), 5);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 404, 409, 429})
    void whatTheCallerDidWrongOpensNothingAndIsNotRetried(int status) {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.status(status, "no"));
                TestProxy proxy = TestProxy.of(
                        upstream.port(), OPENS_AFTER_FIVE, "retry: {retry-on: [connect-failure, reset, 5xx]}");
                RawClient client = proxy.connect()) {
            for (int i = 0; i < 50; i++) {
                assertThat(client.get("/up/", "localhost").status()).isEqualTo(status);
            }

            assertThat(upstream.requests()).hasSize(50);
            assertThat(proxy.upstream("up").breaker().state()).isEqualTo(BreakerState.CLOSED);
        }
    }

    @Test
    void theBreakerOfOneUpstreamLeavesAnotherAlone() {
        try (ScriptedUpstream bad = ScriptedUpstream.start(Scripts.status(503, "no"));
                ScriptedUpstream good = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = TestProxy.start("defaults: {" + OPENS_AFTER_FIVE + ", " + ONE_ATTEMPT + "}\n"
                        + "upstreams: {up: {url: '" + bad.url() + "'}, other: {url: '" + good.url() + "'}}\n");
                RawClient client = proxy.connect()) {
            fail(client, 6);

            assertThat(client.get("/other/", "localhost").status()).isEqualTo(200);
            assertThat(bad.requests()).hasSize(5);
        }
    }

    /** A refusal of the second attempt must not hide what the first one met. */
    @Test
    void aBreakerThatOpensBetweenAttemptsEndsThemWithTheLastRealAnswer() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.status(503, "why", "X-From: upstream"));
                TestProxy proxy = TestProxy.of(upstream.port(), OPENS_AFTER_FIVE, "retry: {wait-duration: 1ms}");
                RawClient client = proxy.connect()) {
            fail(client, 1);
            RawResponse last = client.get("/up/", "localhost");

            assertThat(last.status()).isEqualTo(503);
            assertThat(last.bodyText()).isEqualTo("why");
            assertThat(last.field("X-From")).isEqualTo("upstream");
            assertThat(last.field("Proxy-Status"))
                    .isEqualTo("resilience-proxy; attempts=2; next-hop=\"127.0.0.1:" + upstream.port() + "\"");
            assertThat(upstream.requests()).hasSize(5);
        }
    }
}
