package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.testkit.Field;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.TestProxy;
import io.resilienceproxy.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** How much a failing upstream is asked in all (rules RE-1 to RE-3, budget). */
class RetryAmplificationTest {

    private static final String NEVER_OPENS =
            "circuit-breaker: {sliding-window-size: 1000, minimum-number-of-calls: 1000}";
    private static final String NO_PAUSES = "retry: {wait-duration: 1ms}";

    @Test
    void fortyReadsOfAFailingUpstreamCostNoMoreRetriesThanTheBudgetStartsWith() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.status(503, "no"));
                TestProxy proxy = TestProxy.of(upstream.port(), NEVER_OPENS, NO_PAUSES);
                RawClient client = proxy.connect()) {
            for (int i = 0; i < 40; i++) {
                assertThat(client.get("/up/" + i, "localhost").status()).isEqualTo(503);
            }

            assertThat(upstream.requests()).hasSize(45);
            assertThat(
                            proxy.metric(
                                    "resilience_proxy_retries_refused_total{cause=\"budget-exhausted\",route=\"default\",upstream=\"up\"}"))
                    .isGreaterThan(0);
            assertThat(proxy.metric("resilience_proxy_retry_budget_tokens{budget=\"up\",upstream=\"up\"}"))
                    .isZero();
        }
    }

    @Test
    void underTheDefaultPolicyTheBreakerEndsItSooner() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.status(503, "no"));
                TestProxy proxy = TestProxy.of(upstream.port(), NO_PAUSES);
                RawClient client = proxy.connect()) {
            for (int i = 0; i < 40; i++) {
                assertThat(client.get("/up/" + i, "localhost").status()).isEqualTo(503);
            }

            assertThat(upstream.requests()).hasSize(10);
        }
    }

    @Test
    void oneRequestIsTriedNoMoreThanMaxAttempts() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.status(503, "no"));
                TestProxy proxy = TestProxy.of(upstream.port(), "retry: {wait-duration: 1ms, max-attempts: 4}");
                RawClient client = proxy.connect()) {
            assertThat(client.get("/up/", "localhost").field("Proxy-Status"))
                    .isEqualTo("resilience-proxy; attempts=4; next-hop=\"127.0.0.1:" + upstream.port() + "\"");

            assertThat(upstream.requests()).hasSize(4);
        }
    }

    /** Pauses count no differently than their absence: the budget is a number of retries, not of retries under way. */
    @Test
    void retriesThatWaitOutAPauseAreInTheBudgetAsMuchAsThoseThatDoNot() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.status(503, "no"));
                TestProxy proxy = TestProxy.of(
                        upstream.port(),
                        NEVER_OPENS,
                        "pool: {max-connections: 100}",
                        "retry: {wait-duration: 300ms, max-attempts: 2}");
                Callers callers = Callers.of(proxy, 40).send("/up/")) {
            assertThat(callers.responses()).allMatch(response -> response.status() == 503);

            assertThat(upstream.requests()).hasSize(45);
        }
    }

    @Test
    void successesFillTheBudgetAgain() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.status(503, "no"));
                TestProxy proxy = TestProxy.of(
                        upstream.port(), NEVER_OPENS, "retry: {wait-duration: 1ms, budget: {max-tokens: 2}}");
                RawClient client = proxy.connect()) {
            client.get("/up/", "localhost");
            client.get("/up/", "localhost");
            assertThat(upstream.requests()).hasSize(3);

            upstream.script(Scripts.ok());
            for (int i = 0; i < 5; i++) {
                client.get("/up/", "localhost");
            }
            upstream.script(Scripts.first(1, Scripts.status(503, "no"), Scripts.ok()));

            assertThat(client.get("/up/", "localhost").status()).isEqualTo(200);
        }
    }

    /** A burst of second attempts must not come in step (rule RE-X3: full jitter). */
    @Test
    void pausesAreSpreadOverTheirWholeRange() {
        List<Long> second = new CopyOnWriteArrayList<>();
        Map<String, Boolean> seen = new ConcurrentHashMap<>();
        try (ScriptedUpstream upstream = ScriptedUpstream.start((request, reply) -> {
                    if (seen.put(request.target(), true) == null) {
                        reply.respond(503, "no");
                    } else {
                        second.add(Clock.SYSTEM.nanoTime());
                        reply.respond(200, "ok");
                    }
                });
                TestProxy proxy = TestProxy.of(
                        upstream.port(),
                        NEVER_OPENS,
                        "retry: {wait-duration: 1s, max-attempts: 2, budget: {max-tokens: 100}}");
                Callers callers = Callers.of(proxy, 16)) {
            for (int i = 0; i < 16; i++) {
                callers.get(i).sendRequest("GET", "/up/" + i, "localhost");
            }
            assertThat(callers.responses()).allMatch(response -> response.status() == 200);

            long spreadMillis = (second.get(15) - second.get(0)) / 1_000_000;
            assertThat(spreadMillis).isGreaterThan(250);
        }
    }

    private static double refused(TestProxy proxy, String cause) {
        return proxy.metric(
                "resilience_proxy_retries_refused_total{cause=\"" + cause + "\",route=\"default\",upstream=\"up\"}");
    }

    @Test
    void eachAttemptSaysWhichOneItIs() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.status(503, "no"));
                TestProxy proxy = TestProxy.of(upstream.port(), NO_PAUSES);
                RawClient client = proxy.connect()) {
            client.get("/up/", "localhost", "X-Attempt: 1");

            assertThat(upstream.requests())
                    .extracting(request -> String.join(",", Field.values(request.fields(), "X-Attempt")))
                    .containsExactly("1", "2", "3");
        }
    }

    /** Two in a row with three attempts each: nine without the mark, five with it. */
    @Test
    void whatTheProxyAboveRetriesIsNotRetriedBelow() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.status(503, "no"));
                TestProxy below = TestProxy.of(upstream.port(), NEVER_OPENS, NO_PAUSES);
                TestProxy above = TestProxy.start("upstreams: {up: {url: 'http://127.0.0.1:" + below.port()
                        + "/up', retry: {wait-duration: 1ms}}}");
                RawClient client = above.connect()) {
            RawResponse response = client.get("/up/", "localhost");

            assertThat(response.bodyText()).isEqualTo("no");
            assertThat(upstream.requests()).hasSize(5);
            assertThat(refused(below, "retried-above")).isEqualTo(2);
            assertThat(below.metric("resilience_proxy_requests_retried_above_total{route=\"default\",upstream=\"up\"}"))
                    .isEqualTo(2);
            assertThat(above.metric("resilience_proxy_requests_retried_above_total{route=\"default\",upstream=\"up\"}"))
                    .isZero();
        }
    }

    @Test
    void whatTheProxyBelowRefusesIsNotRetriedAboveAndReachesTheCallerAsItIs() {
        String trips = "circuit-breaker: {sliding-window-size: 2, minimum-number-of-calls: 2}";
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.status(503, "no"));
                TestProxy below = TestProxy.of(upstream.port(), trips, "retry: {max-attempts: 1}");
                TestProxy above = TestProxy.start("upstreams: {up: {url: 'http://127.0.0.1:" + below.port()
                        + "/up', retry: {wait-duration: 1ms}}}");
                RawClient client = above.connect();
                RawClient direct = below.connect()) {
            direct.get("/up/", "localhost");
            direct.get("/up/", "localhost");

            Problem refusal = Problem.of(client.get("/up/", "localhost"));

            assertThat(refusal.reason()).isEqualTo("circuit-open");
            assertThat(refusal.response().field("Retry-After")).isNotNull();
            assertThat(refused(above, "refused-below")).isEqualTo(1);
            assertThat(upstream.requests()).hasSize(2);
        }
    }

    @Test
    void aRetryOfAnEnvoyAboveIsNotRetried() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.reset());
                TestProxy proxy = TestProxy.of(upstream.port(), NEVER_OPENS, NO_PAUSES);
                RawClient client = proxy.connect()) {
            Problem once = Problem.of(client.get("/up/", "localhost", "x-envoy-attempt-count: 2"));
            assertThat(once.attempts()).isEqualTo(1);
            assertThat(Problem.of(client.get("/up/", "localhost", "x-envoy-attempt-count: 1"))
                            .attempts())
                    .isEqualTo(3);
            assertThat(refused(proxy, "retried-above")).isEqualTo(1);
        }
    }
}
