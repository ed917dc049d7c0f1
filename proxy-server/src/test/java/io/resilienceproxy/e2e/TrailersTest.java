package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.testkit.Field;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.UpstreamRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fields behind the last chunk stay there, or are dropped; none becomes a header (RFC 9110 section 6.5). */
class TrailersTest extends WireTest {

    private static final String CHUNKED = "PUT /up/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n";

    @Test
    void ofARequestReachTheUpstreamAsTrailers() {
        start(Scripts.ok());
        RawClient client = connect();
        client.send(CHUNKED + "Trailer: X-Sum\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 1\r\nx-sum: 2\r\nX-Empty:\r\n\r\n");
        assertThat(client.readResponse("PUT").status()).isEqualTo(200);

        UpstreamRequest request = upstream.awaitRequest();
        assertThat(request.field("Trailer")).isEqualTo("X-Sum");
        assertThat(request.field("X-Sum")).isNull();
        assertThat(request.trailers())
                .containsExactly(new Field("X-Sum", "1"), new Field("x-sum", "2"), new Field("X-Empty", ""));
    }

    @Test
    void ofAResponseReachTheCallerAsTrailers() {
        start((request, reply) ->
                reply.startChunked(200, "Trailer: X-Sum").chunk("hello").endChunks("X-Sum: 1", "Server-Timing: a"));
        RawClient client = connect();
        for (int i = 0; i < 2; i++) {
            RawResponse response = client.get("/up/x", "localhost", "TE: trailers");
            assertThat(response.bodyText()).isEqualTo("hello");
            assertThat(response.field("X-Sum")).isNull();
            assertThat(response.trailers()).containsExactly(new Field("X-Sum", "1"), new Field("Server-Timing", "a"));
        }
    }

    @Test
    void thatWouldChangeFramingRoutingOrCredentialsAreDropped() {
        start(Scripts.ok());
        RawClient client = connect();
        client.send(
                CHUNKED + "Connection: X-Hop\r\n\r\n0\r\nContent-Length: 9\r\nTransfer-Encoding: gzip\r\nHost: b\r\n"
                        + "Authorization: x\r\nProxy-Authorization: x\r\ncookie: a=1\r\nConnection: close\r\nKeep-Alive: 1\r\nX-Hop: 1\r\nX-End: 1\r\n\r\n");
        assertThat(client.readResponse("PUT").status()).isEqualTo(200);

        assertThat(upstream.awaitRequest().trailers()).containsExactly(new Field("X-End", "1"));
    }

    @Test
    void thatTheResponseNominatesEndAtThisHop() {
        start((request, reply) -> reply.startChunked(200, "Connection: X-Hop")
                .chunk("a")
                .endChunks("x-hop: 1", "Set-Cookie: a=b", "X-End: 1"));
        assertThat(connect().get("/up/x", "localhost").trailers()).containsExactly(new Field("X-End", "1"));
    }

    @Test
    void areDroppedForAnHttp10Caller() {
        start((request, reply) -> reply.startChunked(200).chunk("hello").endChunks("X-Sum: 1"));
        RawClient client = connect();
        client.send("GET /up/x HTTP/1.0\r\n\r\n");
        assertThat(client.readResponse("GET").bodyText()).isEqualTo("hello");
    }

    @Test
    void areSentAgainByARetry() {
        start(
                Scripts.first(1, Scripts.status(503, ""), Scripts.ok()),
                "retry: {max-attempts: 2, wait-duration: 1ms, methods: [PUT]}");
        RawClient client = connect();
        client.send(CHUNKED + "\r\n5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n");
        assertThat(client.readResponse("PUT").status()).isEqualTo(200);

        assertThat(upstream.requests()).hasSize(2).allSatisfy(request -> {
            assertThat(request.bodyText()).isEqualTo("hello");
            assertThat(request.trailers()).containsExactly(new Field("X-Sum", "1"));
        });
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1, trailers, trailers",
        "HTTP/1.1, 'gzip, Trailers', trailers",
        "HTTP/1.1, gzip,",
        "HTTP/1.0, trailers,"
    })
    void areAskedForWhereTheCallerTakesThem(String version, String te, String sent) {
        start(Scripts.ok());
        RawClient client = connect();
        client.send("GET /up/x " + version + "\r\nHost: a\r\nConnection: TE\r\nTE: " + te + "\r\n\r\n");
        assertThat(client.readResponse("GET").status()).isEqualTo(200);

        UpstreamRequest request = upstream.awaitRequest();
        assertThat(request.field("TE")).isEqualTo(sent);
        assertThat(request.field("Connection")).isEqualTo(sent == null ? null : "TE");
    }

    @Test
    void thatAreMalformedNeverCompleteTheRequest() {
        startAtHead((request, reply) -> reply.readBody().respond(200, ""));
        RawClient client = connect();
        client.send(CHUNKED + "\r\n5\r\nhello\r\n0\r\nX A: 1\r\n\r\n");
        assertThat(client.readResponse("PUT").status()).isEqualTo(400);
        assertThat(upstream.requests()).noneMatch(UpstreamRequest::complete);
    }
}
