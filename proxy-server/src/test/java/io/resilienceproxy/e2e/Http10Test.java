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
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/1.0 on either side (RFC 9112 section 6.1 and appendix C). */
class Http10Test extends WireTest {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    @Test
    void callersNeedNoHostAndTheirConnectionIsClosed() {
        start(Scripts.ok());
        RawClient client = connect();
        client.send("GET /up/x HTTP/1.0\r\n\r\n");
        RawResponse response = client.readResponse("GET");
        assertThat(response.bodyText()).isEqualTo("ok");
        assertThat(response.version()).isEqualTo("HTTP/1.1");
        assertThat(client.isClosedByPeer(PATIENCE)).isTrue();

        UpstreamRequest request = upstream.awaitRequest();
        assertThat(request.version()).isEqualTo("HTTP/1.1");
        assertThat(request.field("Via")).isEqualTo("1.0 resilience-proxy");
        assertThat(request.field("Host")).isEqualTo("127.0.0.1:" + upstream.port());
    }

    @Test
    void callersThatAskForItKeepTheirConnection() {
        start(Scripts.ok());
        RawClient client = connect();
        for (int i = 0; i < 3; i++) {
            client.send("GET /up/x HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n");
            RawResponse response = client.readResponse("GET");
            assertThat(response.field("Connection")).isEqualTo("keep-alive");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Connection: keep-alive\r\n"})
    void callersNeverGetChunks(String connection) {
        start((request, reply) ->
                reply.startChunked(200).chunk("hel").chunk("lo").endChunks());
        RawClient client = connect();
        client.send("GET /up/x HTTP/1.0\r\n" + connection + "\r\n");
        RawResponse response = client.readResponse("GET");
        assertThat(response.framing()).isEqualTo(Framing.UNTIL_CLOSE);
        assertThat(response.field("Connection")).isEqualTo("close");
        assertThat(response.bodyText()).isEqualTo("hello");
        assertThat(response.complete()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Transfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 5"})
    void callersMayNotSendChunks(String fields) {
        start(Scripts.ok());
        RawClient client = connect();
        client.send("POST /up/x HTTP/1.0\r\nConnection: keep-alive\r\n" + fields + "\r\n\r\n0\r\n\r\n");
        assertThat(client.readResponse("POST").status()).isEqualTo(400);
        assertThat(client.isClosedByPeer(PATIENCE)).isTrue();
        assertThat(upstream.connections()).isEmpty();
    }

    @Test
    void upstreamsConnectionsAreNotReusedUnlessTheySaySo() {
        start(Scripts.first(
                1,
                (request, reply) -> reply.raw("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok"),
                (request, reply) ->
                        reply.raw("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok")));
        RawClient client = connect();
        for (int i = 0; i < 4; i++) {
            RawResponse response = client.get("/up/x", "a");
            assertThat(response.bodyText()).isEqualTo("ok");
            assertThat(response.version()).isEqualTo("HTTP/1.1");
            assertThat(response.field("Connection")).isNull();
        }
        assertThat(upstream.connections()).hasSize(2);
    }
}
