package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.resilienceproxy.testkit.ConnectionEnd;
import io.resilienceproxy.testkit.Framing;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.Reply;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a response says of its length is kept, or the caller sees that something is missing (RFC 9112 sections 6 and 8). */
class ResponseFramingTest extends WireTest {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static ScriptedUpstream.Script raw(String bytes) {
        return (request, reply) -> reply.raw(bytes).close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\nhello"
            })
    void neverPassesACutOffBodyForAWholeOne(String cut) {
        start(raw(cut));
        RawClient client = connect();
        RawResponse response = client.get("/up/x", "localhost");

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.complete()).isFalse();
        assertThat(response.bodyText()).isEqualTo("hello");
        assertThat(client.isClosedByPeer(PATIENCE)).isTrue();
        assertThat(upstream.requests()).hasSize(1);
        proxy.awaitNothingHeld();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
                "HTTP/1.1 200 OK\r\n\r\nhello"
            })
    void neverPassesABodyThatEndedInAResetForAWholeOne(String cut) {
        CountDownLatch relayed = new CountDownLatch(1);
        start((request, reply) -> reply.raw(cut).await(relayed).rst());
        RawClient client = connect();
        client.sendRequest("GET", "/up/x", "localhost");
        await().until(() -> client.received().contains("hello"));
        relayed.countDown();

        RawResponse response = client.readResponse("GET");
        assertThat(response.complete()).isFalse();
        assertThat(client.received()).doesNotContain("\r\n0\r\n");
    }

    @Test
    void resetsAnHttp10CallerWhoseBodyOnlyTheCloseWouldEnd() {
        start(raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"));
        RawClient client = connect();
        client.send("GET /up/x HTTP/1.0\r\n\r\n");
        assertThat(client.isClosedByPeer(PATIENCE)).isTrue();
        assertThat(client.end()).isEqualTo(ConnectionEnd.RST);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1 200 OK\r\nContent-Le",
                "HTTP/1.1 200 OK\r\n",
                "HTTP/1.1 20",
                "HTTP/1.1 20x OK\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 099 OK\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 600 OK\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 1000 OK\r\nContent-Length: 0\r\n\r\n",
                "HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n",
                "http/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1  200 OK\r\nContent-Length: 0\r\n\r\n",
                "ICY 200 OK\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nokk",
                "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: 0x2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding x: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: xchunked\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\nok\r\n0\r\n\r\n",
                "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nFoo bar: 1\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\n: 1\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nNoColon\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nX: a\u0000b\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nX: a\rSet-Cookie: b\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 a\rb\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\nContent-Length: 2\n\nok"
            })
    void answersBadGatewayForWhatIsNoResponse(String malformed) {
        start((request, reply) -> {
            if (request.target().equals("/bad")) {
                reply.raw(malformed).close();
            } else {
                reply.respond(200, "good");
            }
        });
        RawClient client = connect();
        RawResponse response = client.get("/up/bad", "localhost");
        assertThat(response.status()).isEqualTo(502);
        assertThat(response.bodyText()).contains("\"outcome\":\"unknown\"");
        assertThat(client.get("/up/good", "localhost").bodyText()).isEqualTo("good");
        assertThat(upstream.connections()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0x5\r\nWORLD\r\n", " 5 \r\nWORLD\r\n", "+5\r\nWORLD\r\n", "-1\r\n", "\r\n", "100000005\r\nWORLD\r\n",
                "10000000000000005\r\nWORLD\r\n", "5\r\nWORLDXX", "5\r\nWORLD\n", "5;x\nWORLD\r\n", "5\nWORLD\r\n",
                        "5\r\nWORLD\r"
            })
    void endsTheCallersConnectionAtAMalformedChunk(String chunk) {
        start(raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n" + chunk + "0\r\n\r\n"));
        RawClient client = connect();
        RawResponse response = client.get("/up/x", "localhost");
        assertThat(response.complete()).isFalse();
        assertThat(response.bodyText()).startsWith("hello");
        assertThat(client.isClosedByPeer(PATIENCE)).isTrue();
    }

    @RepeatedTest(3)
    void givesABodyThatOnlyTheCloseEndsAFramingOfItsOwn() {
        start(raw("HTTP/1.1 200 OK\r\n\r\nhello"));
        RawClient client = connect();
        for (int i = 1; i < 4; i++) {
            RawResponse response = client.get("/up/" + i, "localhost");
            assertThat(response.framing()).isEqualTo(Framing.CHUNKED);
            assertThat(response.bodyText()).isEqualTo("hello");
            assertThat(response.complete()).isTrue();
        }
        assertThat(upstream.connections()).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({
        "HEAD, 200 OK, Content-Length: 20, Content-Length: 20",
        "HEAD, 200 OK, Transfer-Encoding: chunked,",
        "HEAD, 200 OK, X: 1,",
        "GET, 304 Not Modified, Content-Length: 10, Content-Length: 10",
        "GET, 304 Not Modified, X: 1,",
        "GET, 204 No Content, Content-Length: 5,",
        "GET, 204 No Content, X: 1,"
    })
    void relaysAnAnswerThatHasNoBody(String method, String status, String field, String kept) {
        start(Scripts.first(
                1, (request, reply) -> reply.raw("HTTP/1.1 " + status + "\r\n" + field + "\r\n\r\n"), Scripts.ok()));
        RawClient client = connect();
        client.sendRequest(method, "/up/1", "localhost");
        RawResponse response = client.readResponse(method);

        assertThat(response.field("Content-Length")).isEqualTo(kept == null ? null : kept.split(": ")[1]);
        assertThat(response.field("Transfer-Encoding")).isNull();
        assertThat(client.get("/up/2", "localhost").bodyText()).isEqualTo("ok");
        assertThat(upstream.connections()).hasSize(1);
    }

    @Test
    void mergesARepeatedLength() {
        start(raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok"));
        RawResponse response = connect().get("/up/x", "localhost");
        assertThat(response.fieldValues("Content-Length")).containsExactly("2");
        assertThat(response.bodyText()).isEqualTo("ok");
    }

    @Test
    void relaysChunksAsTheyComeAndWithoutTheirExtensions() {
        CountDownLatch seen = new CountDownLatch(1);
        start((request, reply) ->
                rest(reply.startChunked(200).raw("5;x=y\r\nhello\r\n").await(seen)));
        RawClient client = connect();
        client.sendRequest("GET", "/up/x", "localhost");
        await().until(() -> client.received().contains("hello"));
        seen.countDown();
        assertThat(client.readResponse("GET").bodyText()).isEqualTo("hello world");
        assertThat(client.received()).doesNotContain("x=y");
    }

    private static void rest(Reply reply) {
        reply.raw("6\r\n world\r\n0\r\n\r\n");
    }

    @Test
    void relaysAnEmptyReasonPhrase() {
        start(raw("HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nok"));
        assertThat(connect().get("/up/x", "localhost").bodyText()).isEqualTo("ok");
    }

    @Test
    void answersBadGatewayForAHeadThatIsTooLarge() {
        start(raw("HTTP/1.1 200 OK\r\nX: " + "a".repeat(70_000) + "\r\nContent-Length: 2\r\n\r\nok"));
        assertThat(connect().get("/up/x", "localhost").status()).isEqualTo(502);
    }

    @Test
    void relaysALargeHeadAndALargeBodyByteForByte() {
        String large = "0123456789abcdef".repeat(131_072);
        start(Scripts.status(200, large, "X: " + "a".repeat(60_000)));
        RawResponse response = connect().get("/up/x", "localhost");
        assertThat(response.field("X")).hasSize(60_000);
        assertThat(response.bodyText()).isEqualTo(large);
    }
}
