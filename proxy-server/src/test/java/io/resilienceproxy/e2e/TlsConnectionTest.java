package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.pkitesting.X509Bundle;
import io.resilienceproxy.testkit.ConnectionEnd;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.ScriptedUpstream.Script;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.ServerTls;
import io.resilienceproxy.testkit.TestAuthority;
import io.resilienceproxy.testkit.TestProxy;
import io.resilienceproxy.tls.TlsProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Connections over TLS live and end by the same rules as plain ones, and by those of TLS. */
class TlsConnectionTest {

    private static final String ONE_ATTEMPT = "retry: {max-attempts: 1}";
    private static final String IDLE = "resilience_proxy_pool_connections{state=\"idle\",upstream=\"up\"}";

    @TempDir
    static Path directory;

    private static String trusting;
    private static ServerTls tls13;
    private static ServerTls tls12;

    @BeforeAll
    static void issue() {
        TestAuthority authority = TestAuthority.create();
        trusting = "tls: {ca-file: " + authority.writeRoot(directory) + "}";
        X509Bundle server = authority.server("127.0.0.1");
        tls13 = ServerTls.of(server, "TLSv1.3");
        tls12 = ServerTls.of(server, "TLSv1.2");
    }

    static Stream<Arguments> both() {
        return Stream.of(TlsProvider.values())
                .flatMap(provider -> Stream.of(Arguments.of(provider, tls13), Arguments.of(provider, tls12)));
    }

    @ParameterizedTest
    @EnumSource(TlsProvider.class)
    void aHandshakeThatStallsIsAConnectTimeout(TlsProvider provider) throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                TestProxy proxy = TlsProxy.of(
                        provider,
                        "https://127.0.0.1:" + silent.getLocalPort(),
                        trusting,
                        ONE_ATTEMPT,
                        "timeouts: {connect: 200ms}");
                RawClient client = proxy.connect()) {
            Problem problem = Problem.of(client.get("/up/a", "localhost"));

            assertThat(problem.reason()).isEqualTo("connect-timeout");
            assertThat(problem.outcome()).isEqualTo("not-sent");
            try (Socket accepted = silent.accept()) {
                // The ClientHello, and then the end: nothing waits for the handshake any more.
                assertThat(accepted.getInputStream().readAllBytes()).hasSizeGreaterThan(100);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(TlsProvider.class)
    void anEndWithinTheHandshakeIsRetriedWhateverTheMethod(TlsProvider provider) throws Exception {
        try (ServerSocket leaving = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                TestProxy proxy = TlsProxy.of(
                        provider,
                        "https://127.0.0.1:" + leaving.getLocalPort(),
                        trusting,
                        "retry: {max-attempts: 2, wait-duration: 1ms}");
                RawClient client = proxy.connect()) {
            Thread accepting = new Thread(() -> {
                try {
                    for (int i = 0; i < 2; i++) {
                        Socket accepted = leaving.accept();
                        accepted.getInputStream().read();
                        accepted.close();
                    }
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            accepting.start();
            client.send("POST /up/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nhi");
            Problem problem = Problem.of(client.readFinalResponse("POST"));
            accepting.join();

            assertThat(problem.reason()).isEqualTo("tls-protocol");
            assertThat(problem.outcome()).isEqualTo("not-sent");
            assertThat(problem.attempts()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @MethodSource("both")
    void aCallerThatLeavesWithinTheHandshakeGivesTheConnectionBack(TlsProvider provider, ServerTls tls)
            throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                TestProxy proxy = TlsProxy.of(
                        provider, "https://127.0.0.1:" + silent.getLocalPort(), trusting, "timeouts: {connect: 1s}")) {
            try (RawClient client = proxy.connect()) {
                client.sendRequest("GET", "/up/a", "localhost");
                await().until(() -> proxy.metric(IDLE.replace("idle", "connecting")) == 1);
            }
            proxy.awaitNothingHeld();
        }
    }

    @ParameterizedTest
    @MethodSource("both")
    void aBodyThatItsEndMakesWholeNeedsCloseNotify(TlsProvider provider, ServerTls tls) {
        Script inOrder = (request, reply) -> {
            reply.raw("HTTP/1.1 200 OK\r\n\r\nall of it");
            reply.close();
        };
        Script cut = (request, reply) -> {
            reply.raw("HTTP/1.1 200 OK\r\n\r\nall of it");
            reply.cut();
        };
        try (ScriptedUpstream upstream = ScriptedUpstream.start(tls, inOrder);
                TestProxy proxy = TlsProxy.of(provider, upstream.url(), trusting);
                RawClient client = proxy.connect();
                RawClient other = proxy.connect()) {
            RawResponse whole = client.get("/up/a", "localhost");
            assertThat(whole.complete()).isTrue();
            assertThat(whole.bodyText()).isEqualTo("all of it");

            upstream.script(cut);
            assertThat(other.get("/up/a", "localhost").complete()).isFalse();
            assertThat(proxy.metric("resilience_proxy_attempts_total{result=\"truncated-response\","
                            + "route=\"default\",upstream=\"up\"}"))
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @MethodSource("both")
    void aBodyThatCameWholeIsWholeHoweverTheConnectionEnds(TlsProvider provider, ServerTls tls) {
        Script script = (request, reply) -> {
            reply.respond(200, "all of it");
            reply.cut();
        };
        try (ScriptedUpstream upstream = ScriptedUpstream.start(tls, script);
                TestProxy proxy = TlsProxy.of(provider, upstream.url(), trusting, ONE_ATTEMPT);
                RawClient client = proxy.connect()) {
            for (int i = 0; i < 3; i++) {
                RawResponse response = client.get("/up/a", "localhost");
                assertThat(response.status()).isEqualTo(200);
                assertThat(response.complete()).isTrue();
                await().until(() -> proxy.metric(IDLE) == 0);
            }
        }
    }

    static Stream<Arguments> ends() {
        Script close = (request, reply) -> reply.close();
        Script cut = (request, reply) -> reply.cut();
        Script reset = (request, reply) -> reply.rst();
        return both().flatMap(pair ->
                Stream.of(close, cut, reset).map(end -> Arguments.of(pair.get()[0], pair.get()[1], end)));
    }

    @ParameterizedTest
    @MethodSource("ends")
    void aPooledConnectionThatEndsUnderARequestIsNoOnesFailure(TlsProvider provider, ServerTls tls, Script end) {
        Script script = (request, reply) -> {
            if (reply.isFirst()) {
                reply.readBody().respond(200, "ok");
            } else {
                end.answer(request, reply);
            }
        };
        try (ScriptedUpstream upstream = ScriptedUpstream.startAtHead(tls, script);
                TestProxy proxy = TlsProxy.of(provider, upstream.url(), trusting, ONE_ATTEMPT);
                RawClient client = proxy.connect()) {
            client.get("/up/1", "localhost");
            RawResponse response = client.get("/up/2", "localhost");

            assertThat(response.status()).as(response.bodyText()).isEqualTo(200);
            assertThat(upstream.connections()).hasSize(2);
        }
    }

    /** The end waits in the socket when the next request takes the connection. */
    @ParameterizedTest
    @MethodSource("both")
    void anIdleConnectionThatEndsLeavesThePool(TlsProvider provider, ServerTls tls) {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(tls, Scripts.ok());
                TestProxy proxy = TlsProxy.of(provider, upstream.url(), trusting, ONE_ATTEMPT);
                RawClient client = proxy.connect()) {
            client.get("/up/1", "localhost");
            upstream.closeConnections();
            await().until(() -> proxy.metric(IDLE) == 0);

            assertThat(client.get("/up/2", "localhost").status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @MethodSource("both")
    void anIdleConnectionIsClosedWithAGoodbye(TlsProvider provider, ServerTls tls) {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(tls, Scripts.ok());
                TestProxy proxy = TlsProxy.of(provider, upstream.url(), trusting, "pool: {idle-timeout: 100ms}");
                RawClient client = proxy.connect()) {
            client.get("/up/1", "localhost");

            // An end without close_notify is a reset to the JDK.
            assertThat(upstream.connection(1).awaitEnd(Duration.ofSeconds(5))).isEqualTo(ConnectionEnd.FIN);
        }
    }

    @ParameterizedTest
    @MethodSource("both")
    void anEarlyAnswerReachesTheCaller(TlsProvider provider, ServerTls tls) {
        Script refusing = (request, reply) -> {
            reply.respond(413, "too large", "Connection: close");
            reply.close();
        };
        try (ScriptedUpstream upstream = ScriptedUpstream.startAtHead(tls, refusing);
                TestProxy proxy = TlsProxy.of(provider, upstream.url(), trusting, ONE_ATTEMPT);
                RawClient client = proxy.connect()) {
            client.send("POST /up/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n" + "x".repeat(1000));
            RawResponse response = client.readFinalResponse("POST");

            assertThat(response.status()).isEqualTo(413);
            assertThat(response.bodyText()).isEqualTo("too large");
        }
    }

    @ParameterizedTest
    @MethodSource("both")
    void largeBodiesPassBothWays(TlsProvider provider, ServerTls tls) {
        String body = "0123456789abcdef".repeat(256 * 1024);
        Script echo = (request, reply) -> reply.respond(200, request.bodyText());
        try (ScriptedUpstream upstream = ScriptedUpstream.start(tls, echo);
                TestProxy proxy = TlsProxy.of(provider, upstream.url(), trusting, "timeouts: {read: 10s, call: 30s}");
                RawClient client = proxy.connect().patience(Duration.ofSeconds(20))) {
            client.send("POST /up/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + body.length() + "\r\n\r\n");
            client.send(body);
            RawResponse response = client.readFinalResponse("POST");

            assertThat(response.status()).isEqualTo(200);
            assertThat(response.bodyText()).isEqualTo(body);
        }
    }

    @ParameterizedTest
    @MethodSource("both")
    void aCallerThatDoesNotReadIsFeltByTheUpstream(TlsProvider provider, ServerTls tls) {
        CountDownLatch blocked = new CountDownLatch(1);
        int size = 64 * 1024 * 1024;
        Script flooding = (request, reply) -> {
            reply.startRaw(200, "Content-Length: " + size);
            byte[] piece = new byte[64 * 1024];
            for (int sent = 0; sent < size; sent += piece.length) {
                reply.raw(piece);
            }
            blocked.countDown();
        };
        try (ScriptedUpstream upstream = ScriptedUpstream.start(tls, flooding);
                TestProxy proxy = TlsProxy.of(provider, upstream.url(), trusting, ONE_ATTEMPT);
                RawClient client = proxy.connect().patience(Duration.ofSeconds(20))) {
            client.pauseReading();
            client.sendRequest("GET", "/up/a", "localhost");
            upstream.awaitRequest();
            long before = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();

            await().during(Duration.ofMillis(300)).until(() -> blocked.getCount() == 1);
            long held = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory() - before;
            assertThat(held).isLessThan(size / 4);
            client.rst();
        }
    }
}
