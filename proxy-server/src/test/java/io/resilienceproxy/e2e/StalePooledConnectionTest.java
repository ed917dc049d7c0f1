package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.testkit.ConnectionEnd;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes that nobody asked for never become somebody's answer. */
class StalePooledConnectionTest extends WireTest {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Answers with the path that was asked for. */
    private static final ScriptedUpstream.Script PATH =
            (request, reply) -> reply.respond(200, request.target(), "X-Path: " + request.target());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokEXTRA",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstale",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\nX",
                "HTTP/1.1 204 No Content\r\n\r\nEXTRA",
                "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\nEXTRA",
                "HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
            })
    void doesNotReuseAConnectionOnWhichMoreThanTheAnswerCame(String first) {
        start(Scripts.first(1, (request, reply) -> reply.raw(first), PATH));
        RawClient client = connect();
        client.get("/up/1", "localhost");

        assertThat(client.get("/up/2", "localhost").field("X-Path")).isEqualTo("/2");
        assertThat(upstream.connections()).hasSize(2);
    }

    @Test
    void doesNotTakeTheBodyOfAnAnswerToHeadForTheNextAnswer() {
        start(Scripts.first(
                1, (request, reply) -> reply.raw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nEXTRA"), PATH));
        RawClient client = connect();
        client.sendRequest("HEAD", "/up/1", "localhost");
        assertThat(client.readResponse("HEAD").field("Content-Length")).isEqualTo("5");

        assertThat(client.get("/up/2", "localhost").field("X-Path")).isEqualTo("/2");
        assertThat(upstream.connections()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n",
                "HTTP/1.1 408 Request Time",
                "x"
            })
    void closesAnIdleConnectionOnWhichAnythingArrives(String unasked) {
        CountDownLatch pooled = new CountDownLatch(1);
        start(Scripts.first(
                1, (request, reply) -> reply.respond(200, "1").await(pooled).raw(unasked), PATH));
        RawClient client = connect();
        client.get("/up/1", "localhost");
        pooled.countDown();

        assertThat(upstream.connection(1).awaitEnd(PATIENCE)).isNotEqualTo(ConnectionEnd.OPEN);
        assertThat(client.get("/up/2", "localhost").bodyText()).isEqualTo("/2");
    }

    @Test
    void keepsAnIdleConnectionOnWhichOnlyAnEmptyLineArrives() {
        CountDownLatch pooled = new CountDownLatch(1);
        start(Scripts.first(
                1, (request, reply) -> reply.respond(200, "1").await(pooled).raw("\r\n"), PATH));
        RawClient client = connect();
        client.get("/up/1", "localhost");
        pooled.countDown();

        for (int i = 2; i < 6; i++) {
            assertThat(client.get("/up/" + i, "localhost").bodyText()).isEqualTo("/" + i);
        }
        assertThat(upstream.connections()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void sendsAGetAgainWhoseReusedConnectionTurnedOutToBeDead(boolean reset) {
        start((request, reply) -> {
            if (!request.target().equals("/2") || upstream.connections().size() > 1) {
                reply.respond(200, request.target());
            } else if (reset) {
                reply.rst();
            } else {
                reply.close();
            }
        });
        RawClient client = connect();
        client.get("/up/1", "localhost");

        assertThat(client.get("/up/2", "localhost").bodyText()).isEqualTo("/2");
    }

    @Test
    void doesNotSendAPostAgainThatMayHaveBeenReceived() {
        start(Scripts.first(1, PATH, Scripts.close()));
        RawClient client = connect();
        client.get("/up/1", "localhost");
        client.send("POST /up/pay HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi");
        RawResponse response = client.readResponse("POST");

        assertThat(response.status()).isEqualTo(502);
        assertThat(response.bodyText()).contains("\"outcome\":\"unknown\"");
        assertThat(upstream.requests()).hasSize(2);
    }

    @Test
    void doesNotUseAConnectionThatTheUpstreamClosedWhileItWasIdle() {
        start(Scripts.first(
                1,
                (request, reply) -> {
                    reply.respond(200, "1");
                    reply.close();
                },
                PATH));
        RawClient client = connect();
        client.get("/up/1", "localhost");
        client.send("POST /up/2 HTTP/1.1\r\nHost: a\r\nIdempotency-Key: k\r\nContent-Length: 2\r\n\r\nhi");

        assertThat(client.readResponse("POST").bodyText()).isEqualTo("/2");
    }
}
