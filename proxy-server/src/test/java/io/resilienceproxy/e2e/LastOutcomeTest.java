package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.resilienceproxy.testkit.ConnectionEnd;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.TestProxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where attempts differ: what the caller gets is the last real outcome, and {@code unknown} wins. */
class LastOutcomeTest {

    private static final String QUICK = "retry: {wait-duration: 1ms, max-attempts: 2}";

    @Test
    void theAnswerToTheLastAttemptIsRelayedWithBodyAndFields() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.first(
                        1,
                        Scripts.status(500, "first"),
                        Scripts.status(503, "why", "Retry-After: 5", "X-From: upstream")));
                TestProxy proxy = TestProxy.of(upstream.port(), QUICK);
                RawClient client = proxy.connect()) {
            RawResponse response = client.get("/up/", "localhost");

            assertThat(response.status()).isEqualTo(503);
            assertThat(response.bodyText()).isEqualTo("why");
            assertThat(response.field("Retry-After")).isEqualTo("5");
            assertThat(response.field("X-From")).isEqualTo("upstream");
            assertThat(response.field("Proxy-Status"))
                    .isEqualTo("resilience-proxy; attempts=2; next-hop=\"127.0.0.1:" + upstream.port() + "\"");
        }
    }

    /** The only permit is taken by another caller while this one pauses. */
    private static RawResponse refusedSecondAttempt(String firstBody, String retryAfter) {
        CountDownLatch release = new CountDownLatch(1);
        try (ScriptedUpstream upstream = ScriptedUpstream.start((request, reply) -> {
                    if (request.target().equals("/blocks")) {
                        reply.await(release);
                        reply.respond(200, "ok");
                    } else {
                        reply.respond(503, firstBody, "Retry-After: " + retryAfter, "X-From: upstream");
                    }
                });
                TestProxy proxy = TestProxy.of(
                        upstream.port(), QUICK, "bulkhead: {max-concurrent-calls: 1, max-wait-duration: 0ms}");
                RawClient retrying = proxy.connect();
                RawClient blocking = proxy.connect()) {
            retrying.sendRequest("GET", "/up/retries", "localhost");
            await().until(() ->
                    proxy.metric("resilience_proxy_retries_total{reason=\"status\",route=\"default\",upstream=\"up\"}")
                            == 1);
            blocking.sendRequest("GET", "/up/blocks", "localhost");

            RawResponse response = retrying.readResponse("GET");
            release.countDown();
            assertThat(blocking.readResponse("GET").status()).isEqualTo(200);
            return response;
        }
    }

    @Test
    void aRefusedSecondAttemptLeavesTheFirstAnswer() {
        RawResponse response = refusedSecondAttempt("why", "2");

        assertThat(response.status()).isEqualTo(503);
        assertThat(response.bodyText()).isEqualTo("why");
        assertThat(response.field("X-From")).isEqualTo("upstream");
        assertThat(response.field("Retry-After")).isEqualTo("2");
    }

    /** Too long to be kept: a substitute then, which must not deny that something was sent. */
    @Test
    void anAnswerThatWasTooLongToKeepIsReplacedByTheRefusalAsUnknown() {
        Problem problem = Problem.of(refusedSecondAttempt("x".repeat(17_000), "2"));

        assertThat(problem.reason()).isEqualTo("bulkhead-full");
        assertThat(problem.outcome()).isEqualTo("unknown");
        assertThat(problem.attempts()).isEqualTo(1);
    }

    @Test
    void anAnswerAsLongAsMayBeKeptIsKept() {
        assertThat(refusedSecondAttempt("x".repeat(16 * 1024), "2").body()).hasSize(16 * 1024);
    }

    /** Without a pause there is no time to read the rest of an answer, unless it is there already. */
    @Test
    void anAnswerThatAsksForNoPauseIsKeptToo() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.status(503, "why", "Retry-After: 0"));
                TestProxy proxy = TestProxy.of(
                        upstream.port(),
                        "retry: {wait-duration: 1ms, max-attempts: 3}",
                        "circuit-breaker: {sliding-window-size: 2, minimum-number-of-calls: 2}");
                RawClient client = proxy.connect()) {
            RawResponse response = client.get("/up/", "localhost");

            assertThat(response.bodyText()).isEqualTo("why");
            assertThat(upstream.connections()).hasSize(1);
        }
    }

    /** Fifty megabytes that nobody wants are not read to their end. */
    @Test
    void aLongAnswerThatIsRetriedIsCutOff() {
        byte[] megabyte = new byte[1 << 20];
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.first(
                        1,
                        (request, reply) -> {
                            reply.startRaw(503, "Content-Length: " + 50 * megabyte.length);
                            for (int i = 0; i < 50; i++) {
                                reply.raw(megabyte);
                            }
                        },
                        Scripts.ok()));
                TestProxy proxy = TestProxy.of(upstream.port(), QUICK);
                RawClient client = proxy.connect()) {
            assertThat(client.get("/up/", "localhost").status()).isEqualTo(200);

            assertThat(upstream.connection(1).awaitEnd(Duration.ofSeconds(5))).isNotEqualTo(ConnectionEnd.OPEN);
        }
    }

    /** First it may have happened, then nothing could be sent: what is true of the whole is unknown. */
    @ParameterizedTest
    @ValueSource(strings = {"POST", "GET"})
    void unknownWinsOverNotSent(String method) {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = TestProxy.of(upstream.port(), "retry: {wait-duration: 1ms, max-attempts: 3}");
                RawClient client = proxy.connect()) {
            upstream.script((request, reply) -> {
                upstream.down();
                reply.rst();
            });
            client.sendRequest(method, "/up/", "localhost", "Content-Length: 0", "Idempotency-Key: 1");
            Problem problem = Problem.of(client.readResponse(method));

            assertThat(problem.reason()).isEqualTo("connection-refused");
            assertThat(problem.outcome()).isEqualTo("unknown");
            assertThat(problem.attempts()).isEqualTo(3);
            assertThat(upstream.requests()).hasSize(1);
        }
    }

    @Test
    void aGoodSecondAnswerSaysHowManyAttemptsItTook() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.first(1, Scripts.reset(), Scripts.ok()));
                TestProxy proxy = TestProxy.of(upstream.port(), QUICK);
                RawClient client = proxy.connect()) {
            assertThat(client.get("/up/", "localhost").fieldValues("Proxy-Status"))
                    .containsExactly("resilience-proxy; attempts=2; next-hop=\"127.0.0.1:" + upstream.port() + "\"");
            assertThat(client.get("/up/", "localhost").field("Proxy-Status")).isNull();
        }
    }

    @Test
    void whatCannotBeReadIsNotAskedForAgain() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start((request, reply) -> reply.raw("nonsense\r\n\r\n"));
                TestProxy proxy = TestProxy.of(upstream.port(), QUICK);
                RawClient client = proxy.connect()) {
            assertThat(Problem.of(client.get("/up/", "localhost")).reason()).isEqualTo("malformed-response");
            assertThat(upstream.requests()).hasSize(1);
        }
    }
}
