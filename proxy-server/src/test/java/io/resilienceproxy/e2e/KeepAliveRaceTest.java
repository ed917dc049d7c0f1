package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.resilienceproxy.testkit.ConnectionEnd;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.ScriptedUpstream.Script;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.TestProxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A pooled connection that the upstream closes just as it is used again is no one's failure (RFC 9112 section 9.3.1). */
class KeepAliveRaceTest {

    private static final String IDLE = "resilience_proxy_pool_connections{state=\"idle\",upstream=\"up\"}";

    /** Every connection answers once; a second request on it meets its end. */
    private static ScriptedUpstream answersOncePerConnection(Script end) {
        return ScriptedUpstream.startAtHead((request, reply) -> {
            if (reply.isFirst()) {
                reply.readBody().respond(200, "ok");
            } else {
                end.answer(request, reply);
            }
        });
    }

    static Stream<Script> ends() {
        return Stream.of(Scripts.reset(), Scripts.close());
    }

    @ParameterizedTest
    @MethodSource("ends")
    void aReaderIsServedOverAFreshConnectionAtNoCost(Script end) {
        try (ScriptedUpstream upstream = answersOncePerConnection(end);
                TestProxy proxy = TestProxy.of(upstream.port());
                RawClient client = proxy.connect()) {
            client.get("/up/1", "localhost");
            RawResponse response = client.get("/up/2", "localhost");

            assertThat(response.status()).isEqualTo(200);
            assertThat(response.field("Proxy-Status")).isNull();
            assertThat(upstream.connections()).hasSize(2);
            assertThat(proxy.upstream("up").budget().balanceThousandths()).isEqualTo(5400);
            var counted = proxy.upstream("up").breaker().delegate().getMetrics();
            assertThat(counted.getNumberOfFailedCalls()).isZero();
            assertThat(counted.getNumberOfSuccessfulCalls()).isEqualTo(2);
        }
    }

    /** Three dead ones lie in the pool: the second must not be tried after the first. */
    @Test
    void theSecondTryIsNotMadeOnAnotherPooledConnection() {
        CountDownLatch three = new CountDownLatch(3);
        try (ScriptedUpstream upstream = ScriptedUpstream.start((request, reply) -> {
                    three.countDown();
                    if (reply.isFirst()) {
                        reply.await(three).respond(200, "ok");
                    } else {
                        reply.rst();
                    }
                });
                TestProxy proxy = TestProxy.of(upstream.port());
                Callers callers = Callers.of(proxy, 3).send("/up/")) {
            callers.responses();
            await().until(() -> proxy.metric(IDLE) == 3);

            assertThat(callers.get(0).get("/up/2", "localhost").status()).isEqualTo(200);
            assertThat(upstream.connections()).hasSize(4);
            assertThat(upstream.requests()).hasSize(5);
        }
    }

    @ParameterizedTest
    @MethodSource("ends")
    void aWriteThatMayHaveArrivedIsNotSentAgain(Script end) {
        try (ScriptedUpstream upstream = answersOncePerConnection(end);
                TestProxy proxy = TestProxy.of(upstream.port());
                RawClient client = proxy.connect()) {
            client.get("/up/1", "localhost");
            client.sendRequest("POST", "/up/2", "localhost", "Content-Length: 2")
                    .send("{}");
            Problem problem = Problem.of(client.readResponse("POST"));

            assertThat(problem.reason()).isEqualTo("reset");
            assertThat(problem.outcome()).isEqualTo("unknown");
            assertThat(upstream.requests()).hasSize(2);
        }
    }

    @Test
    void aWriteWithKeyIsSentAgainWhole() {
        try (ScriptedUpstream upstream = answersOncePerConnection(Scripts.reset());
                TestProxy proxy = TestProxy.of(upstream.port());
                RawClient client = proxy.connect()) {
            client.get("/up/1", "localhost");
            client.sendRequest("POST", "/up/2", "localhost", "Content-Length: 5", "Idempotency-Key: 1")
                    .send("hello");

            assertThat(client.readResponse("POST").status()).isEqualTo(200);
            assertThat(upstream.connection(2).requests().get(0).bodyText()).isEqualTo("hello");
        }
    }

    /** The operator has said never: the key would be the only leave. */
    @Test
    void aWriteWithKeyIsNotSentAgainWhereNothingIsRetried() {
        try (ScriptedUpstream upstream = answersOncePerConnection(Scripts.reset());
                TestProxy proxy = TestProxy.of(upstream.port(), "retry: {max-attempts: 1}");
                RawClient client = proxy.connect()) {
            client.get("/up/1", "localhost");
            client.sendRequest("POST", "/up/2", "localhost", "Content-Length: 5", "Idempotency-Key: 1")
                    .send("hello");

            assertThat(Problem.of(client.readResponse("POST")).outcome()).isEqualTo("unknown");
            assertThat(upstream.requests()).hasSize(2);
        }
    }

    /** A connection that has only just been opened has no such excuse. */
    @Test
    void theFirstRequestOfAConnectionIsAnAttemptLikeAnyOther() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.reset());
                TestProxy proxy = TestProxy.of(upstream.port(), "retry: {max-attempts: 1}");
                RawClient client = proxy.connect()) {
            assertThat(Problem.of(client.get("/up/", "localhost")).reason()).isEqualTo("reset");
            assertThat(upstream.requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aConnectionThatEndsWhileIdleIsThrownAway(boolean inOrder) {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = TestProxy.of(upstream.port());
                RawClient client = proxy.connect()) {
            client.get("/up/1", "localhost");
            await().until(() -> proxy.metric(IDLE) == 1);
            if (inOrder) {
                upstream.closeConnections();
            } else {
                upstream.resetConnections();
            }
            await().until(() -> proxy.metric(IDLE) == 0);
            client.sendRequest("POST", "/up/2", "localhost", "Content-Length: 2")
                    .send("{}");

            assertThat(client.readResponse("POST").status()).isEqualTo(200);
        }
    }

    @Test
    void whatTheUpstreamSaysAboutItsIdleTimeoutIsHeeded() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.status(200, "ok", "Keep-Alive: timeout=1"));
                TestProxy proxy = TestProxy.of(upstream.port());
                RawClient client = proxy.connect()) {
            client.get("/up/1", "localhost");

            assertThat(upstream.connection(1).awaitEnd(Duration.ofSeconds(5))).isEqualTo(ConnectionEnd.FIN);
            assertThat(client.get("/up/2", "localhost").status()).isEqualTo(200);
            assertThat(upstream.connections()).hasSize(2);
        }
    }
}
