package io.resilienceproxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.policy.Shutdown;
import io.resilienceproxy.testkit.ConnectionEnd;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.TestProxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** How a proxy ends, seen by those who still use it (pitfalls B55, B56). */
class DrainTest {

    private static final Duration QUIET = Duration.ofMillis(400);
    private static final Duration LONG = Duration.ofMinutes(1);

    private final StopRequests stops = new StopRequests();

    @Test
    void whatIsInFlightAndWhatIsNewIsServedUntilNothingIsAskedAnyMore() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.first(
                        1,
                        (request, reply) -> {
                            reply.await(answer);
                            reply.respond(200, "first");
                        },
                        Scripts.status(200, "second")));
                TestProxy proxy = TestProxy.of(upstream.port());
                RawClient first = proxy.connect()) {
            first.sendRequest("GET", "/up/", "a");
            upstream.awaitRequest();

            CompletableFuture<Boolean> drained = drain(proxy, new Shutdown(QUIET, LONG));

            assertThat(proxy.admin("/readyz")).startsWith("not ready: draining");
            try (RawClient second = proxy.connect()) {
                assertLastOn(second, second.get("/up/", "a"), "second");
            }
            assertThat(drained).isNotDone();
            answer.countDown();
            assertLastOn(first, first.readFinalResponse("GET"), "first");
            assertThat(drained.get(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void anIdleConnectionIsServedOnceMoreAndLeftToItsCallerAtTheEnd() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = TestProxy.of(upstream.port());
                RawClient soon = proxy.connect();
                RawClient later = proxy.connect();
                RawClient never = proxy.connect()) {
            for (RawClient client : new RawClient[] {soon, later, never}) {
                assertThat(client.get("/up/", "a").field("Connection")).isNull();
            }

            CompletableFuture<Boolean> drained = drain(proxy, new Shutdown(QUIET, LONG));

            assertLastOn(soon, soon.get("/up/", "a"), "ok");
            assertThat(later.isClosedByPeer(Duration.ofMillis(200))).isFalse();
            assertLastOn(later, later.get("/up/", "a"), "ok");
            assertThat(never.isClosedByPeer(Duration.ofSeconds(5))).isTrue();
            never.sendRequest("GET", "/up/", "a");
            assertThat(drained.get(10, TimeUnit.SECONDS)).isTrue();
            assertThat(never.end()).isEqualTo(ConnectionEnd.FIN);
            assertThat(upstream.requests()).hasSize(5);
        }
    }

    @Test
    void aCallerThatClosesWhenItIsToldToLeavesNothingBehind() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = TestProxy.of(upstream.port())) {
            RawClient client = proxy.connect();
            client.get("/up/", "a");
            CompletableFuture<Boolean> drained = drain(proxy, new Shutdown(Duration.ZERO, LONG));
            assertThat(client.isClosedByPeer(Duration.ofSeconds(5))).isTrue();
            client.close();
            assertThat(drained.get(10, TimeUnit.SECONDS)).isTrue();
            Awaitility.await().until(() -> proxy.proxy().server().connections() == 0);
        }
    }

    /** One that only its upstream speaks in, and that was silent for longer than the quiet period. */
    @Test
    void aTunnelIsInFlightForAsLongAsItIsOpen() throws Exception {
        CountDownLatch speak = new CountDownLatch(1);
        try (ScriptedUpstream upstream = ScriptedUpstream.startAtHead((request, reply) -> {
                    reply.raw("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                            + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n");
                    reply.await(speak).raw("late").close();
                });
                TestProxy proxy = TestProxy.of(upstream.port());
                RawClient client = proxy.connect()) {
            client.sendRequest(
                    "GET",
                    "/up/",
                    "a",
                    "Connection: Upgrade",
                    "Upgrade: websocket",
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                    "Sec-WebSocket-Version: 13");
            assertThat(client.readResponse("GET").status()).isEqualTo(101);

            CompletableFuture<Boolean> drained = drain(proxy, new Shutdown(Duration.ofMillis(50), LONG));

            assertThat(client.isClosedByPeer(Duration.ofMillis(500))).isFalse();
            assertThat(drained).isNotDone();
            speak.countDown();
            assertThat(client.readToEnd()).isEqualTo("late");
            assertThat(drained.get(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aSecondRequestToStopEndsTheQuietPeriodAndAThirdWhatIsInFlight() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.silent());
                TestProxy proxy = TestProxy.of(upstream.port())) {
            CompletableFuture<Boolean> quiet = drain(proxy, new Shutdown(LONG, LONG));
            stops.add();
            stops.add();
            assertThat(quiet.get(10, TimeUnit.SECONDS)).isTrue();
        }
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.silent());
                TestProxy proxy = TestProxy.of(upstream.port()).withoutConservationCheck();
                RawClient client = proxy.connect()) {
            client.sendRequest("GET", "/up/", "a");
            upstream.awaitRequest();
            CompletableFuture<Boolean> busy = drain(proxy, new Shutdown(LONG, LONG));
            assertThat(client.isClosedByPeer(Duration.ofMillis(200))).isFalse();
            assertThat(busy).isNotDone();

            stops.add();

            assertThat(busy.get(10, TimeUnit.SECONDS)).isFalse();
        }
    }

    @Test
    void itEndsAtTheLatestAfterTheTimeout() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.silent());
                TestProxy proxy = TestProxy.of(upstream.port()).withoutConservationCheck();
                RawClient client = proxy.connect()) {
            client.sendRequest("GET", "/up/", "a");
            upstream.awaitRequest();

            assertThat(drain(proxy, new Shutdown(QUIET, QUIET)).get(10, TimeUnit.SECONDS))
                    .isFalse();
        }
    }

    /** A body that takes its caller longer to take than a connection lingers. */
    @Test
    void aSlowCallerStillGetsTheWholeOfItsLastAnswer() {
        String body = "b".repeat(8 * 1024 * 1024);
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.status(200, body));
                TestProxy proxy = TestProxy.of(upstream.port());
                RawClient client = proxy.connect()) {
            client.pauseReading();
            client.sendRequest("GET", "/up/", "a", "Connection: close");
            assertThat(client.isClosedByPeer(Duration.ofMillis(1500))).isFalse();

            client.resumeReading();

            assertThat(client.readFinalResponse("GET").bodyText()).hasSize(body.length());
        }
    }

    private CompletableFuture<Boolean> drain(TestProxy proxy, Shutdown shutdown) {
        CompletableFuture<Boolean> drained =
                CompletableFuture.supplyAsync(() -> proxy.proxy().drain(shutdown, stops::haste));
        Awaitility.await().until(() -> proxy.admin("/readyz").startsWith("not ready"));
        return drained;
    }

    private static void assertLastOn(RawClient client, RawResponse response, String body) {
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.bodyText()).isEqualTo(body);
        assertThat(response.field("Connection")).isEqualTo("close");
        assertThat(client.isClosedByPeer(Duration.ofSeconds(5))).isTrue();
        assertThat(client.end()).isEqualTo(ConnectionEnd.FIN);
    }
}
