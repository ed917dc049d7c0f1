package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.Scripts;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether a body is wanted is for the upstream to say (RFC 9110 section 10.1.1). */
class ExpectContinueTest extends WireTest {

    private static final String EXPECTING =
            "PUT /up/x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n";

    @Test
    void passesOnOneContinueAndThenTheBody() {
        startAtHead((request, reply) ->
                reply.startRaw(100).readBody().respond(200, request.field("Expect") + request.bodyText()));
        RawClient client = connect();
        for (int i = 0; i < 2; i++) {
            client.send(EXPECTING);
            assertThat(client.readResponse("PUT").status()).isEqualTo(100);
            client.send("hello");
            assertThat(client.readResponse("PUT").bodyText()).isEqualTo("100-continuehello");
        }
    }

    @Test
    void passesOnARefusalWithoutAContinue() {
        startAtHead((request, reply) -> {
            reply.respond(401, "");
            reply.hold();
        });
        RawClient client = connect();
        client.send(EXPECTING);
        RawResponse response = client.readResponse("PUT");

        assertThat(response.status()).isEqualTo(401);
        assertThat(response.field("Connection")).isEqualTo("close");
        assertThat(client.isClosedByPeer(Duration.ofSeconds(5))).isTrue();
        assertThat(client.received()).doesNotContain("100 Continue");
    }

    @Test
    void passesOnTheBodyOfACallerThatDoesNotWait() {
        CountDownLatch head = new CountDownLatch(1);
        startAtHead((request, reply) -> {
            head.countDown();
            reply.readBody().respond(200, request.bodyText());
        });
        RawClient client = connect();
        client.send(EXPECTING);
        assertThat(upstream.awaitRequest().complete()).isFalse();
        client.send("hello");
        assertThat(client.readResponse("PUT").bodyText()).isEqualTo("hello");
        assertThat(head.getCount()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bogus", "100-continue, foo", "100-continue\r\nExpect: foo"})
    void refusesOtherExpectations(String expectation) {
        start(Scripts.ok());
        RawClient client = connect();
        client.send("PUT /up/x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: " + expectation + "\r\n\r\nhello");
        assertThat(client.readResponse("PUT").status()).isEqualTo(417);
        assertThat(upstream.connections()).isEmpty();
    }

    @Test
    void isIgnoredInAnHttp10Request() {
        startAtHead((request, reply) -> reply.startRaw(100).readBody().respond(200, request.bodyText()));
        RawClient client = connect();
        client.send("PUT /up/x HTTP/1.0\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
        client.send("hello");
        assertThat(client.readResponse("PUT").bodyText()).isEqualTo("hello");
    }

    @Test
    void isRepeatedByARetryButTheCallerIsToldOnlyOnce() {
        startAtHead(
                Scripts.first(
                        1,
                        (request, reply) -> reply.startRaw(100).respond(503, "busy"),
                        (request, reply) -> reply.startRaw(100).readBody().respond(200, request.bodyText())),
                "retry: {max-attempts: 2, wait-duration: 1ms, methods: [PUT]}");
        RawClient client = connect();
        client.send(EXPECTING);
        assertThat(client.readResponse("PUT").status()).isEqualTo(100);
        client.send("hello");
        RawResponse response = client.readResponse("PUT");

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.bodyText()).isEqualTo("hello");
        assertThat(upstream.requests()).hasSize(2);
        assertThat(upstream.requests().get(1).field("Expect")).isEqualTo("100-continue");
    }
}
