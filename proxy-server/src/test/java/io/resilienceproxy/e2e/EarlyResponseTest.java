package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.testkit.ConnectionEnd;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.Scripts;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** The upstream answers before it has read the request. */
class EarlyResponseTest extends WireTest {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final String SMUGGLED = "\r\n\r\nGET /up/smuggled HTTP/1.1\r\nHost: a\r\n\r\n";

    private static String head(int length) {
        return "POST /up/r HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n";
    }

    @Test
    void reachesTheCallerAtOnceAndEndsBothConnections() {
        CountDownLatch answered = new CountDownLatch(1);
        startAtHead((request, reply) -> reply.respond(413, "").await(answered));
        RawClient client = connect();
        client.send(head(1_000_000)).send("x".repeat(65_536) + SMUGGLED);
        RawResponse response = client.readResponse("POST");
        answered.countDown();

        assertThat(response.status()).isEqualTo(413);
        assertThat(response.field("Connection")).isEqualTo("close");
        assertThat(client.isClosedByPeer(PATIENCE)).isTrue();
        assertThat(upstream.connection(1).awaitEnd(PATIENCE)).isNotEqualTo(ConnectionEnd.OPEN);
        assertThat(upstream.requests()).hasSize(1);
    }

    @RepeatedTest(20)
    void isNotLostWhenTheUpstreamClosesWithUnreadData() {
        startAtHead((request, reply) -> {
            reply.raw("HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno");
            reply.close();
        });
        RawClient client = connect();
        client.send(head(4_000_000));
        byte[] piece = "x".repeat(65_536).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        try {
            for (int i = 0; i < 32; i++) {
                client.send(piece);
            }
        } catch (UncheckedIOException closedMeanwhile) {
            assertThat(client.received()).isNotEmpty();
        }

        RawResponse response = client.readResponse("POST");
        assertThat(response.status()).isEqualTo(413);
        assertThat(response.bodyText()).isEqualTo("no");
    }

    @Test
    void leavesTheCallersConnectionInUseWhenTheRestIsShort() {
        CountDownLatch first = new CountDownLatch(1);
        startAtHead(Scripts.first(1, (request, reply) -> reply.respond(401, "").await(first), Scripts.ok()));
        RawClient client = connect();
        client.send(head(10)).send("hello");
        RawResponse response = client.readResponse("POST");
        assertThat(response.status()).isEqualTo(401);
        assertThat(response.field("Connection")).isNull();
        client.send("world");

        assertThat(client.get("/up/next", "localhost").bodyText()).isEqualTo("ok");
        first.countDown();
        assertThat(upstream.connections()).hasSize(2);
        assertThat(upstream.connection(1).awaitEnd(PATIENCE)).isNotEqualTo(ConnectionEnd.OPEN);
    }

    @Test
    void stopsReadingARestThatTurnsOutToBeLong() {
        CountDownLatch answered = new CountDownLatch(1);
        startAtHead((request, reply) -> reply.respond(401, "").await(answered));
        RawClient client = connect();
        client.send("POST /up/r HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
        assertThat(client.readResponse("POST").status()).isEqualTo(401);
        answered.countDown();
        String chunk = "4000\r\n" + "x".repeat(0x4000) + "\r\n";
        try {
            for (int i = 0; i < 6; i++) {
                client.send(chunk);
            }
        } catch (UncheckedIOException closedMeanwhile) {
            assertThat(client.received()).isNotEmpty();
        }

        assertThat(client.isClosedByPeer(PATIENCE)).isTrue();
    }
}
