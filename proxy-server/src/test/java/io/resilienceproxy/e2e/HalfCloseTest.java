package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.testkit.ConnectionEnd;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.Scripts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A caller that finishes its output has left; what is answered by then is still delivered. */
class HalfCloseTest extends WireTest {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    @Test
    void cancelsTheAttemptAndReturnsItsPermit() {
        start(Scripts.silent());
        RawClient client = connect();
        client.sendRequest("GET", "/up/x", "localhost");
        upstream.awaitRequest();
        client.shutdownOutput();

        assertThat(upstream.connection(1).awaitEnd(PATIENCE)).isNotEqualTo(ConnectionEnd.OPEN);
        proxy.awaitNothingHeld();
        assertThat(client.isClosedByPeer(PATIENCE)).isTrue();
        assertThat(client.received()).isEmpty();
    }

    @Test
    void cancelsAnUploadMidway() {
        startAtHead((request, reply) -> reply.readBody().respond(200, ""));
        RawClient client = connect();
        client.send("PUT /up/x HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhello");
        upstream.awaitRequest();
        client.shutdownOutput();

        assertThat(upstream.connection(1).awaitEnd(PATIENCE)).isNotEqualTo(ConnectionEnd.OPEN);
        assertThat(upstream.awaitRequest().complete()).isFalse();
    }

    @Test
    void deliversTheRestOfAnAnswerThatIsWhole() {
        int size = 3_000_000;
        start(Scripts.status(200, "x".repeat(size)));
        try (RawClient client =
                RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port()), 16_384)) {
            client.sendRequest("GET", "/up/x", "localhost");
            RawResponse response = client.readResponse("GET");
            client.shutdownOutput();

            assertThat(response.body()).hasSize(size);
            assertThat(client.isClosedByPeer(PATIENCE)).isTrue();
            assertThat(client.end()).isEqualTo(ConnectionEnd.FIN);
        }
    }

    @Test
    void endsAnIdleConnectionInOrder() {
        start(Scripts.ok());
        RawClient client = connect();
        client.get("/up/x", "localhost");
        client.shutdownOutput();
        assertThat(client.isClosedByPeer(PATIENCE)).isTrue();
        assertThat(client.end()).isEqualTo(ConnectionEnd.FIN);
    }

    @Test
    void answersARequestThatCannotBecomeWhole() {
        start(Scripts.ok());
        RawClient client = connect();
        client.send("GET /up/x HTTP/1.1\r\nHost: a\r\n");
        client.shutdownOutput();
        assertThat(client.readResponse("GET").status()).isEqualTo(400);
        assertThat(client.isClosedByPeer(PATIENCE)).isTrue();
        assertThat(upstream.connections()).isEmpty();
    }

    @Test
    void answersARefusedRequestThatCameWithItsEnd() {
        start(Scripts.ok());
        RawClient client = connect();
        client.sendRequest("GET", "/nowhere", "localhost");
        client.shutdownOutput();
        assertThat(client.readResponse("GET").status()).isEqualTo(404);
    }
}
