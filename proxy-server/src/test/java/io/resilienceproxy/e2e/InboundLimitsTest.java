package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.resilienceproxy.http.RequestHeads;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.TestProxy;
import io.resilienceproxy.testkit.UpstreamRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a caller may send, and how long it may take, is bounded; one that keeps the bounds is served meanwhile. */
class InboundLimitsTest extends WireTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MANY = 200;

    @ParameterizedTest
    @CsvSource({"0, 200", "1, 431"})
    void countsTheRequestLineAndTheFieldsTogether(int beyond, int status) {
        startLimited(Scripts.ok(), "max-header-size: 1KiB");
        String line = "GET /up/x HTTP/1.1";
        // Line ends are not counted.
        int others = line.length() + "Host: a".length() + "X: ".length();
        RawClient client = connect();
        client.send(line + "\r\nHost: a\r\nX: " + "x".repeat(1024 - others + beyond) + "\r\n\r\n");
        assertThat(client.readResponse("GET").status()).isEqualTo(status);
        assertThat(upstream.connections()).hasSize(status == 200 ? 1 : 0);
    }

    @Test
    void refusesARequestLineThatIsTooLong() {
        startLimited(Scripts.ok(), "max-header-size: 1KiB");
        RawClient client = connect();
        client.send("GET /up/" + "x".repeat(1024) + " HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(client.readResponse("GET").status()).isEqualTo(414);
        assertThat(client.isClosedByPeer(PATIENCE)).isTrue();
    }

    @Test
    void refusesAHeadThatNeverEndsBeforeItIsWhole() {
        startLimited(Scripts.ok(), "max-header-size: 1KiB");
        RawClient client = connect();
        client.send("GET /up/x HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(2000));
        assertThat(client.readResponse("GET").status()).isEqualTo(431);
        assertThat(client.isClosedByPeer(PATIENCE)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"0, 200", "1, 431", "1301, 431"})
    void boundsTheNumberOfFields(int beyond, int status) {
        start(Scripts.ok());
        String fields = "a:b\r\n".repeat(RequestHeads.MAX_FIELDS - 1 + beyond);
        RawClient client = connect();
        client.send("GET /up/x HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n");
        assertThat(client.readResponse("GET").status()).isEqualTo(status);
    }

    @Test
    void refusesConnectionsBeyondTheLimitAndTakesNewOnesWhenOthersLeave() {
        startLimited(Scripts.ok(), "max-connections: 2");
        RawClient first = connect();
        RawClient second = connect();
        first.get("/up/1", "a");
        second.get("/up/1", "a");
        RawClient third = connect();
        RawResponse refused = third.readResponse("GET");
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.field("Connection")).isEqualTo("close");
        assertThat(third.isClosedByPeer(PATIENCE)).isTrue();

        first.close();
        await().atMost(PATIENCE).untilAsserted(() -> {
            try (RawClient next = proxy.connect()) {
                next.send("GET /up/2 HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(next.readResponse("GET").status()).isEqualTo(200);
            }
        });
    }

    private List<RawClient> many(String bytes) {
        return IntStream.range(0, MANY)
                .mapToObj(i -> connect().patience(PATIENCE).send(bytes))
                .toList();
    }

    private void assertHealthyCallerIsServed() {
        RawClient healthy = connect();
        for (int i = 0; i < 20; i++) {
            assertThat(healthy.get("/up/healthy", "a").status()).isEqualTo(200);
        }
    }

    @Test
    void closesCallersThatSayNothing() {
        startLimited(Scripts.ok(), "idle-timeout: 500ms");
        List<RawClient> silent = many("");
        assertHealthyCallerIsServed();
        assertThat(silent).allSatisfy(client -> {
            assertThat(client.isClosedByPeer(PATIENCE)).isTrue();
            assertThat(client.received()).isEmpty();
        });
    }

    @Test
    void closesCallersThatDoNotFinishAHeadHoweverManyBytesTheySend() {
        startLimited(Scripts.ok(), "header-timeout: 500ms, idle-timeout: 1m");
        List<RawClient> slow = many("GET /up/x HTTP/1.1\r\nHost: a\r\nX: ");
        assertHealthyCallerIsServed();
        RawClient dripping = slow.get(0);
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> {
            if (dripping.received().isEmpty()) {
                dripping.send("x");
            }
            return !dripping.received().isEmpty();
        });
        assertThat(slow).allSatisfy(client -> {
            assertThat(client.readResponse("GET").status()).isEqualTo(408);
            assertThat(client.isClosedByPeer(PATIENCE)).isTrue();
        });
        assertThat(upstream.requests()).hasSize(20);
    }

    @Test
    void closesACallerWhoseNextHeadIsNotFinishedBehindItsAnswer() {
        CountDownLatch answer = new CountDownLatch(1);
        startLimited(
                (request, reply) -> reply.await(answer).respond(200, "ok"), "header-timeout: 300ms, idle-timeout: 1m");
        RawClient client = connect();
        client.send("GET /up/1 HTTP/1.1\r\nHost: a\r\n\r\nGET /up/2 HT");
        upstream.awaitRequest();
        await().pollDelay(Duration.ofMillis(600)).until(() -> true);
        answer.countDown();

        RawResponse response = client.readResponse("GET");
        assertThat(response.bodyText()).isEqualTo("ok");
        assertThat(response.field("Connection")).isEqualTo("close");
        assertThat(client.isClosedByPeer(PATIENCE)).isTrue();
    }

    @Test
    void endsUploadsThatDoNotComeToTheirEndAndReturnsTheirPermits() {
        upstream = ScriptedUpstream.startAtHead(
                (request, reply) -> reply.readBody().respond(200, "ok"));
        proxy = TestProxy.of(
                upstream.port(),
                "timeouts: {connect: 1s, read: 2s, call: 4s}",
                "retry: {max-attempts: 1}",
                "pool: {max-connections: 300}",
                "bulkhead: {max-concurrent-calls: 250}");
        List<RawClient> slow = many("POST /up/slow HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nx");
        assertHealthyCallerIsServed();

        assertThat(slow).allSatisfy(client -> {
            assertThat(client.readResponse("POST").status()).isEqualTo(408);
            assertThat(client.isClosedByPeer(PATIENCE)).isTrue();
        });
        assertThat(upstream.requests())
                .filteredOn(r -> r.method().equals("POST"))
                .noneMatch(UpstreamRequest::complete);
        proxy.awaitNothingHeld();
    }

    @Test
    void cutsCallersThatDoNotTakeTheirAnswer() {
        upstream = ScriptedUpstream.start((request, reply) ->
                reply.respond(200, request.target().equals("/large") ? "x".repeat(8_000_000) : "ok"));
        proxy = TestProxy.start("limits: {idle-timeout: 500ms}\nupstreams:\n  up:\n    url: " + upstream.url()
                + "\n    timeouts: {connect: 1s, read: 10s, call: 20s}\n");
        try (RawClient stalled =
                RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.port()), 8_192)) {
            stalled.pauseReading();
            stalled.sendRequest("GET", "/up/large", "a");
            assertHealthyCallerIsServed();
            proxy.awaitNothingHeld();
            stalled.resumeReading();
            assertThat(stalled.readResponse("GET").complete()).isFalse();
        }
    }
}
