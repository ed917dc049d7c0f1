package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.UpstreamRequest;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Requests that are sent ahead are answered one after the other, in order (RFC 9112 section 9.3.2). */
class PipeliningTest extends WireTest {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final ScriptedUpstream.Script PATH = (request, reply) -> reply.respond(200, request.target());

    private static String get(int i) {
        return "GET /up/" + i + " HTTP/1.1\r\nHost: a\r\n\r\n";
    }

    @Test
    void answersInOrder() {
        start(PATH);
        RawClient client = connect();
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            all.append(get(i));
        }
        client.send(all.toString());
        for (int i = 0; i < 500; i++) {
            assertThat(client.readResponse("GET").bodyText()).isEqualTo("/" + i);
        }
        assertThat(upstream.connections()).hasSize(1);
    }

    @Test
    void doesNotSendTheSecondRequestBeforeTheFirstIsAnswered() {
        CountDownLatch first = new CountDownLatch(1);
        start(Scripts.first(1, (request, reply) -> reply.await(first).respond(200, "1"), PATH));
        RawClient client = connect();
        client.send(get(1) + get(2));
        upstream.awaitRequest();
        client.send(get(3));
        assertThat(client.received()).isEmpty();
        assertThat(upstream.requests()).hasSize(1);
        first.countDown();

        assertThat(client.readResponse("GET").bodyText()).isEqualTo("1");
        assertThat(client.readResponse("GET").bodyText()).isEqualTo("/2");
        assertThat(client.readResponse("GET").bodyText()).isEqualTo("/3");
    }

    @Test
    void keepsBodiesWithTheirRequests() {
        start(Scripts.echo());
        RawClient client = connect();
        client.send("POST /up/1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
                + "POST /up/2 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\ndef" + get(3));
        for (int i = 0; i < 3; i++) {
            assertThat(client.readResponse("POST").status()).isEqualTo(200);
        }
        assertThat(upstream.requests()).extracting(UpstreamRequest::bodyText).containsExactly("abc", "def", "");
    }

    @Test
    void givesUpWhatWasSentAheadOfAClose() {
        start(PATH);
        RawClient client = connect();
        client.send("GET /up/1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" + get(2));
        assertThat(client.readResponse("GET").bodyText()).isEqualTo("/1");
        assertThat(client.readToEnd()).isEmpty();
        assertThat(upstream.requests()).hasSize(1);
    }

    @Test
    void answersAMalformedRequestInItsTurnAndNothingBehindIt() {
        start(PATH);
        RawClient client = connect();
        client.send(get(1) + "GET /up/2 HTTP/1.1\r\n\r\n" + get(3));
        assertThat(client.readResponse("GET").bodyText()).isEqualTo("/1");
        RawResponse refused = client.readResponse("GET");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.field("Connection")).isEqualTo("close");
        assertThat(client.readToEnd()).isEmpty();
        assertThat(upstream.requests()).hasSize(1);
    }

    @Test
    void answersManyRequestsThatNoUpstreamTakesAtOnce() {
        start(PATH);
        RawClient client = connect();
        client.send("GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n".repeat(1000) + get(1));
        for (int i = 0; i < 1000; i++) {
            assertThat(client.readResponse("GET").status()).isEqualTo(404);
        }
        assertThat(client.readResponse("GET").bodyText()).isEqualTo("/1");
    }

    @Test
    void dropsWhatWasSentAheadWhenTheCallerLeaves() {
        start(Scripts.silent());
        RawClient client = connect();
        client.send(get(1) + "POST /up/2 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\ndef" + get(3));
        upstream.awaitRequest();
        client.rst();

        upstream.connection(1).awaitEnd(PATIENCE);
        proxy.awaitNothingHeld();
        assertThat(upstream.requests()).hasSize(1);
    }
}
