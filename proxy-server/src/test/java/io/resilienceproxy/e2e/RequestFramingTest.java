package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.testkit.Framing;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.UpstreamRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a request ends is never left to a guess (RFC 9112 sections 6, 7.1 and 11.2). */
class RequestFramingTest extends WireTest {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final String SMUGGLED = "0\r\n\r\nGET /up/smuggled HTTP/1.1\r\nHost: a\r\n\r\n";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 5\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: chunked\r\nContent-Length: 5",
                "Content-Length: 5\r\nContent-Length: 6",
                "Content-Length: 5, 6",
                "Content-Length: 5,",
                "Content-Length: +5",
                "Content-Length: -5",
                "Content-Length:",
                "Content-Length: 0x5",
                "Content-Length: 5 5",
                "Content-Length: 5a",
                "Content-Length: 1e1",
                "Content-Length: 99999999999999999999",
                "Content-Length : 5",
                "Transfer-Encoding: chunked, chunked",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: chunked, identity",
                "Transfer-Encoding: gzip, chunked",
                "Transfer-Encoding: chunked, gzip",
                "Transfer-Encoding: identity",
                "Transfer-Encoding: xchunked",
                "Transfer-Encoding: \"chunked\"",
                "Transfer-Encoding: chunked;q=1",
                "Transfer-Encoding:",
                "Transfer-Encoding: \u000bchunked",
                "Transfer-Encoding: chunked\u000b",
                "Transfer-Encoding : chunked",
                "Transfer-Encoding\t: chunked",
                "X: a\r\n\r\nTransfer-Encoding: chunked\u0000",
                "X: a\u0000b",
                "X: a\rTransfer-Encoding: chunked",
                "X: a\nTransfer-Encoding: chunked",
                "X y: a",
                ": a",
                "NoColon",
                "X\u00e4: a"
            })
    void refusesWhatTwoReadersCouldUnderstandDifferently(String fields) {
        start(Scripts.ok());
        RawClient client = connect();
        client.send("POST /up/r HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n\r\n" + SMUGGLED);
        String received = client.readToEnd();

        boolean secondHalf = fields.contains("\r\n\r\n");
        assertThat(received).matches(secondHalf ? "(?s)HTTP/1.1 200 .*" : "(?s)HTTP/1.1 (400|501) .*");
        assertThat(receivedUpstream()).doesNotContain("smuggled");
        assertThat(upstream.connections()).hasSize(secondHalf ? 1 : 0);
    }

    @ParameterizedTest
    @CsvSource({"'Content-Length: 5\r\nContent-Length: 5'", "'Content-Length: 5, 5'"})
    void acceptsAtMostOneMeaningOfARepeatedLength(String fields) {
        start(Scripts.ok());
        RawClient client = connect();
        client.send("POST /up/r HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n\r\nhello");
        assertThat(client.readResponse("POST").status()).isEqualTo(400);
        assertThat(upstream.connections()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5;x\nWORLD\r\n",
                "0x5\r\nWORLD\r\n",
                " 5 \r\nWORLD\r\n",
                "+5\r\nWORLD\r\n",
                "-1\r\n",
                "\r\n",
                "100000005\r\nWORLD\r\n",
                "10000000000000005\r\nWORLD\r\n",
                "5;a=\"x\r\nWORLD\r\n\u0000",
                "5\r\nWORLDXX",
                "5\r\nWORLD\n",
                "5\nWORLD\r\n",
                "5\r\nWORLD\rX"
            })
    void neverCompletesARequestWithAMalformedChunk(String chunk) {
        startAtHead((request, reply) -> reply.readBody().respond(200, ""));
        RawClient client = connect();
        client.send("POST /up/r HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
        upstream.awaitRequest();
        client.send(chunk + SMUGGLED);
        RawResponse response = client.readResponse("POST");

        assertThat(response.status()).isEqualTo(400);
        assertThat(response.field("Connection")).isEqualTo("close");
        assertThat(client.isClosedByPeer(PATIENCE)).isTrue();
        upstream.connection(1).awaitEnd(PATIENCE);
        assertThat(upstream.requests()).hasSize(1).noneMatch(UpstreamRequest::complete);
        assertThat(receivedUpstream()).doesNotContain("\r\n0\r\n", "smuggled");
        proxy.awaitNothingHeld();
    }

    @ParameterizedTest
    @CsvSource({
        "'Content-Length: 5\r\n\r\nhel'",
        "'Transfer-Encoding: chunked\r\n\r\n5\r\nhel'",
        "'Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n'",
        "'Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n0\r\n'"
    })
    void neverCompletesARequestThatTheCallerCutShort(String rest) {
        startAtHead((request, reply) -> reply.readBody().respond(200, ""));
        RawClient client = connect();
        client.send("POST /up/r HTTP/1.1\r\nHost: a\r\n" + rest);
        upstream.awaitRequest();
        client.close();

        upstream.connection(1).awaitEnd(PATIENCE);
        assertThat(upstream.requests()).hasSize(1).noneMatch(UpstreamRequest::complete);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, 'X: 1\r\n\r\n', NONE, ''",
        "GET, 'Content-Length: 3\r\n\r\nabc', LENGTH, abc",
        "GET, 'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n', CHUNKED, abc",
        "DELETE, 'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n', CHUNKED, hello",
        "DELETE, 'X: 1\r\n\r\n', NONE, ''",
        "POST, 'Content-Length: 0\r\n\r\n', LENGTH, ''",
        "POST, 'Transfer-Encoding: Chunked\r\n\r\n0\r\n\r\n', CHUNKED, ''",
        "POST, 'Transfer-Encoding: chunked\r\n\r\n5;ext=\"a;b\"\r\nhello\r\n0;last\r\n\r\n', CHUNKED, hello",
        "POST, 'Content-Length: 005\r\n\r\nhello', LENGTH, hello"
    })
    void givesTheUpstreamTheSameBodyInTheSameFraming(String method, String rest, Framing framing, String body) {
        start(Scripts.ok());
        RawClient client = connect();
        client.send(method + " /up/1 HTTP/1.1\r\nHost: a\r\n" + rest + "GET /up/2 HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(client.readResponse(method).status()).isEqualTo(200);
        assertThat(client.readResponse("GET").status()).isEqualTo(200);

        assertThat(upstream.requests()).extracting(UpstreamRequest::target).containsExactly("/1", "/2");
        UpstreamRequest first = upstream.requests().get(0);
        assertThat(first.framing()).isEqualTo(framing);
        assertThat(first.bodyText()).isEqualTo(body);
        assertThat(upstream.requests().get(1).framing()).isEqualTo(Framing.NONE);
    }

    @Test
    void sendsAFoldedFieldOnAsOneLine() {
        start(Scripts.ok());
        RawClient client = connect();
        client.send("GET /up/x HTTP/1.1\r\nHost: a\r\nX: a\r\n  b\r\n\r\n");
        assertThat(client.readResponse("GET").status()).isEqualTo(200);
        assertThat(upstream.awaitRequest().field("X")).isEqualTo("a b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /up/x\r\n\r\n",
                "GET /up/x HTTP/1.1 \r\nHost: a\r\n\r\n",
                "GET  /up/x HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET\t/up/x HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /up/x HTTP/1.1\nHost: a\n\n",
                "GET /up/x http/1.1\r\nHost: a\r\n\r\n",
                "GET /up/x HTTP/1.10\r\nHost: a\r\n\r\n",
                "GET /up/x HTTP/01.1\r\nHost: a\r\n\r\n",
                "G\u0000T /up/x HTTP/1.1\r\nHost: a\r\n\r\n",
                "G(T /up/x HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /up/x y HTTP/1.1\r\nHost: a\r\n\r\n",
                " /up/x HTTP/1.1\r\nHost: a\r\n\r\n",
                " GET /up/x HTTP/1.1\r\nHost: a\r\n\r\n",
                "\r\n\tGET /up/x HTTP/1.1\r\nHost: a\r\n\r\n"
            })
    void refusesAMalformedRequestLine(String request) {
        start(Scripts.ok());
        RawClient client = connect();
        client.send(request);
        assertThat(client.readToEnd()).startsWith("HTTP/1.1 400 ");
        assertThat(upstream.connections()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/9.9", "HTTP/2.0", "HTTP/1.2", "HTTP/0.9"})
    void refusesOtherVersions(String version) {
        start(Scripts.ok());
        RawClient client = connect();
        client.send("GET /up/x " + version + "\r\nHost: a\r\n\r\n");
        assertThat(client.readResponse("GET").status()).isEqualTo(505);
        assertThat(client.isClosedByPeer(PATIENCE)).isTrue();
        assertThat(upstream.connections()).isEmpty();
    }

    @Test
    void ignoresAnEmptyLineBeforeARequest() {
        start(Scripts.ok());
        RawClient client = connect();
        client.send("\r\nGET /up/x HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(client.readResponse("GET").status()).isEqualTo(200);
    }
}
