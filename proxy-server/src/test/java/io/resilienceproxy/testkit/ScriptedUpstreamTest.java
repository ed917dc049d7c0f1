package io.resilienceproxy.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptedUpstreamTest {

    private static final Duration SOON = Duration.ofSeconds(5);

    @Test
    void keepsRequestsByConnectionAsTheyStoodOnTheWire() {
        try (var upstream = ScriptedUpstream.start(Scripts.ok());
                var client = RawClient.connect(upstream.port())) {
            client.send("POST /a?b HTTP/1.1\r\nHost: h\r\nX-One:  1 \r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "5\r\nhello\r\n0\r\nT: t\r\n\r\n");
            RawResponse response = client.readResponse("POST");
            client.get("/second", "h");

            assertThat(response.bodyText()).isEqualTo("ok");
            assertThat(response.complete()).isTrue();
            UpstreamRequest first = upstream.connection(1).requests().get(0);
            assertThat(first.target()).isEqualTo("/a?b");
            assertThat(first.fields()).contains(new Field("X-One", "1"));
            assertThat(first.bodyText()).isEqualTo("hello");
            assertThat(first.trailers()).containsExactly(new Field("T", "t"));
            assertThat(first.complete()).isTrue();
            assertThat(upstream.requests()).hasSize(2);
            assertThat(upstream.connections()).hasSize(1);
            assertThat(upstream.connection(1).received())
                    .startsWith("POST /a?b")
                    .contains("GET /second");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\nHost: h\n\n",
                "GET / HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                "GET  / HTTP/1.1\r\nHost: h\r\n\r\n",
                "GET / HTTP/1.1\r\nHost : h\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n c\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +1\r\n\r\nx",
                "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0x1\r\nx\r\n0\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxy\r\n0\r\n\r\n"
            })
    void failsTheTestForIllFormedBytes(String request) {
        ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
        try (var client = RawClient.connect(upstream.port())) {
            client.send(request);
            assertThat(client.isClosedByPeer(SOON)).isTrue();
        }

        assertThatThrownBy(upstream::close)
                .isInstanceOf(AssertionError.class)
                .satisfies(error -> assertThat(error.getSuppressed()[0]).isInstanceOf(IllFormed.class));
    }

    @Test
    void aRequestThatBreaksOffIsKeptAsIncompleteAndNeverAnswered() {
        try (var upstream = ScriptedUpstream.start(Scripts.ok());
                var client = RawClient.connect(upstream.port())) {
            client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nhello");
            client.shutdownOutput();

            assertThat(client.readToEnd()).isEmpty();
            assertThat(upstream.awaitRequest().complete()).isFalse();
            assertThat(upstream.awaitRequest().bodyText()).isEqualTo("hello");
        }
    }

    @Test
    void seesTheCallerLeaveWhileTheScriptWaits() {
        CountDownLatch never = new CountDownLatch(1);
        try (var upstream = ScriptedUpstream.start((request, reply) -> reply.await(never))) {
            RawClient client = RawClient.connect(upstream.port());
            client.sendRequest("GET", "/", "h");
            upstream.awaitRequest();
            assertThat(upstream.openConnections()).isOne();

            client.rst();

            assertThat(upstream.connection(1).awaitEnd(SOON)).isEqualTo(ConnectionEnd.RST);
            assertThat(upstream.openConnections()).isZero();
            never.countDown();
        }
    }

    @Test
    void repliesPieceByPieceAndBehindTheHeadWhereAsked() {
        try (var upstream = ScriptedUpstream.startAtHead((request, reply) -> reply.startRaw(103, "Link: </s>")
                        .readBody()
                        .startChunked(200)
                        .chunk("a")
                        .chunk("bc")
                        .endChunks("T: t"));
                var client = RawClient.connect(upstream.port())) {
            client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n");
            assertThat(client.readResponse("POST").status()).isEqualTo(103);
            client.send("hi");
            RawResponse response = client.readResponse("POST");

            assertThat(response.bodyText()).isEqualTo("abc");
            assertThat(response.framing()).isEqualTo(Framing.CHUNKED);
            assertThat(response.trailers()).containsExactly(new Field("T", "t"));
        }
    }

    @Test
    void aResponseThatBreaksOffIsIncompleteWhetherClosedOrReset() {
        for (ScriptedUpstream.Script breaking : List.<ScriptedUpstream.Script>of(
                (request, reply) ->
                        reply.startRaw(200, "Content-Length: 9").raw("half").close(),
                (request, reply) -> reply.startChunked(200).chunk("half").close())) {
            try (var upstream = ScriptedUpstream.start(breaking);
                    var client = RawClient.connect(upstream.port())) {
                RawResponse response = client.get("/", "h");

                assertThat(response.complete()).isFalse();
                assertThat(response.bodyText()).isEqualTo("half");
            }
        }
        try (var upstream = ScriptedUpstream.start(Scripts.reset());
                var client = RawClient.connect(upstream.port())) {
            client.sendRequest("GET", "/", "h");
            assertThat(client.isClosedByPeer(SOON)).isTrue();
            assertThat(client.end()).isEqualTo(ConnectionEnd.RST);
        }
    }

    @Test
    void refusesWhileItIsDownAndComesBackOnTheSamePort() {
        try (var upstream = ScriptedUpstream.start(Scripts.ok())) {
            int port = upstream.port();
            upstream.down();
            assertThatThrownBy(() -> RawClient.connect(port)).isInstanceOf(UncheckedIOException.class);

            upstream.up();

            assertThat(upstream.port()).isEqualTo(port);
            try (var client = RawClient.connect(port)) {
                assertThat(client.get("/", "h").status()).isEqualTo(200);
            }
        }
    }

    @Test
    void anUpstreamThatDoesNotReadStallsItsSender() throws Exception {
        CountDownLatch readOn = new CountDownLatch(1);
        int length = 16 * 1024 * 1024;
        try (var upstream = ScriptedUpstream.startAtHead(
                        (request, reply) -> reply.pauseReading()
                                .await(readOn)
                                .resumeReading()
                                .readBody()
                                .respond(200, ""),
                        8192);
                var client = RawClient.connect(upstream.port())) {
            client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + length + "\r\n\r\n");
            upstream.awaitRequest();
            Thread sender = new Thread(() -> client.send(new byte[length]));
            sender.start();
            sender.join(300);
            assertThat(sender.isAlive()).isTrue();

            readOn.countDown();

            sender.join(SOON.toMillis());
            assertThat(client.readResponse("POST").status()).isEqualTo(200);
        }
    }
}
