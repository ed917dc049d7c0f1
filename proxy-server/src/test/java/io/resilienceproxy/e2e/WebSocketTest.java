package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.Reply;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.TestProxy;
import io.resilienceproxy.testkit.UpstreamRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A tunnel carries whatever bytes come, in both directions, for as long as something comes. */
class WebSocketTest {

    private static final String ASK = "GET /up/chat HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\n"
            + "Upgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";
    private static final String AGREED = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"
            + "Upgrade: websocket\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";

    @Test
    void passesTheBytesThatCameInOneSegmentWithTheAgreement() {
        CountDownLatch close = new CountDownLatch(1);
        try (ScriptedUpstream upstream = ScriptedUpstream.startAtHead((request, reply) -> {
                    reply.raw(AGREED + "seven!!");
                    reply.await(close);
                    reply.close();
                });
                TestProxy proxy = TestProxy.of(upstream.port());
                RawClient client = proxy.connect()) {
            client.send(ASK);
            RawResponse response = client.readResponse("GET");

            assertThat(response.status()).isEqualTo(101);
            assertThat(response.field("Upgrade")).isEqualTo("websocket");
            assertThat(response.field("Connection")).isEqualTo("Upgrade");
            assertThat(response.field("Sec-WebSocket-Accept")).isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
            awaitReceived(client, "seven!!");
            UpstreamRequest request = upstream.awaitRequest();
            assertThat(request.field("Upgrade")).isEqualTo("websocket");
            assertThat(request.field("Connection")).isEqualTo("Upgrade");
            close.countDown();
            assertThat(client.isClosedByPeer(Duration.ofSeconds(5))).isTrue();
        }
    }

    @Test
    void holdsItsBulkheadPermitUntilItEnds() {
        try (ScriptedUpstream upstream = ScriptedUpstream.startAtHead(WebSocketTest::agreeAndHold);
                TestProxy proxy = TestProxy.of(upstream.port())) {
            int limit = proxy.upstream("up").bulkhead().limit();
            try (RawClient client = proxy.connect()) {
                client.send(ASK);
                assertThat(client.readResponse("GET").status()).isEqualTo(101);
                assertThat(proxy.upstream("up").bulkhead().available()).isEqualTo(limit - 1);
            }
            Awaitility.await().until(() -> proxy.upstream("up").bulkhead().available() == limit);
            assertThat(upstream.connection(1).awaitEnd(Duration.ofSeconds(5))).isNotNull();
        }
    }

    @Test
    void sendsWhatTheCallerSentEarlyOnlyAfterTheAgreement() {
        CountDownLatch agree = new CountDownLatch(1);
        try (ScriptedUpstream upstream = ScriptedUpstream.startAtHead((request, reply) -> {
                    reply.await(agree);
                    agreeAndHold(request, reply);
                });
                TestProxy proxy = TestProxy.of(upstream.port());
                RawClient client = proxy.connect()) {
            client.send(ASK + "early");
            upstream.awaitRequest();
            assertThat(upstream.connection(1).received()).doesNotContain("early");

            agree.countDown();

            assertThat(client.readResponse("GET").status()).isEqualTo(101);
            Awaitility.await()
                    .untilAsserted(
                            () -> assertThat(upstream.connection(1).received()).endsWith("early"));
        }
    }

    @Test
    void staysWithHttpWhenTheUpstreamRefuses() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start((request, reply) -> {
                    int status = request.field("Upgrade") == null ? 200 : 403;
                    reply.respond(status, "answer to " + request.target());
                });
                TestProxy proxy = TestProxy.of(upstream.port());
                RawClient client = proxy.connect()) {
            client.send(ASK + "GET /up/next HTTP/1.1\r\nHost: a\r\n\r\n");

            RawResponse refused = client.readResponse("GET");
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.bodyText()).isEqualTo("answer to /chat");
            assertThat(client.readResponse("GET").bodyText()).isEqualTo("answer to /next");
        }
    }

    @Test
    void outlivesTheCallTimeoutAndEndsWhenNothingComes() {
        try (ScriptedUpstream upstream = ScriptedUpstream.startAtHead(WebSocketTest::agreeAndHold);
                TestProxy proxy =
                        TestProxy.start("limits: {idle-timeout: 1500ms}\nupstreams:\n  up:\n    url: http://127.0.0.1:"
                                + upstream.port() + "\n    timeouts: {connect: 100ms, read: 200ms, call: 400ms}\n");
                RawClient client = proxy.connect()) {
            client.send(ASK);
            assertThat(client.readResponse("GET").status()).isEqualTo(101);
            for (int i = 0; i < 4; i++) {
                assertThat(client.isClosedByPeer(Duration.ofMillis(300))).isFalse();
                client.send("ping");
            }

            assertThat(client.isClosedByPeer(Duration.ofSeconds(5))).isTrue();
            assertThat(upstream.connection(1).received()).endsWith("pingpingpingping");
        }
    }

    /** More than all buffers on the way can hold, to a caller that takes nothing for a while. */
    @Test
    void goesOnWhenACallerThatTookNothingTakesAgain() {
        String frame = "f".repeat(1024 * 1024);
        int frames = 24;
        try (ScriptedUpstream upstream = ScriptedUpstream.startAtHead((request, reply) -> {
                    reply.raw(AGREED);
                    for (int i = 0; i < frames; i++) {
                        reply.raw(frame);
                    }
                    reply.close();
                });
                TestProxy proxy = TestProxy.of(upstream.port());
                RawClient client = proxy.connect()) {
            client.send(ASK);
            assertThat(client.readResponse("GET").status()).isEqualTo(101);
            client.pauseReading();
            assertThat(client.isClosedByPeer(Duration.ofMillis(500))).isFalse();

            client.resumeReading();

            assertThat(client.isClosedByPeer(Duration.ofSeconds(20))).isTrue();
            assertThat(client.received().length()).isGreaterThan(frames * frame.length());
        }
    }

    @Test
    void otherProtocolsAreNotAskedFor() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start((request, reply) -> reply.respond(200, "plain"));
                TestProxy proxy = TestProxy.of(upstream.port());
                RawClient client = proxy.connect()) {
            client.send("GET /up/ HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
                    + "HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n");

            assertThat(client.readResponse("GET").bodyText()).isEqualTo("plain");
            assertThat(upstream.awaitRequest().field("Upgrade")).isNull();
            assertThat(upstream.awaitRequest().field("HTTP2-Settings")).isNull();
        }
    }

    private static void agreeAndHold(UpstreamRequest request, Reply reply) throws IOException {
        reply.raw(AGREED);
        reply.hold();
    }

    private static void awaitReceived(RawClient client, String end) {
        Awaitility.await().untilAsserted(() -> assertThat(client.received()).endsWith(end));
    }
}
