package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.resilienceproxy.resilience.BreakerState;
import io.resilienceproxy.testkit.ConnectionEnd;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.TestProxy;
import io.resilienceproxy.testkit.UnansweredPort;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A caller that leaves takes its attempt along, and leaves every permit behind. */
class DepartingCallersTest {

    private static final String PATIENT = "timeouts: {connect: 9s, read: 20s, call: 40s}";
    private static final String JUMPY = "circuit-breaker: {sliding-window-size: 5, minimum-number-of-calls: 2,"
            + " failure-rate-threshold: 1, slow-call-rate-threshold: 1, slow-call-duration-threshold: 9s}";
    private static final String DEPARTURES =
            "resilience_proxy_caller_departures_total{route=\"default\",upstream=\"up\"}";
    private static final String WAITING = "resilience_proxy_bulkhead_waiting{bulkhead=\"up\",upstream=\"up\"}";

    private static void leave(RawClient client, boolean inOrder) {
        if (inOrder) {
            client.close();
        } else {
            client.rst();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void permitsComeBackAndConnectionsEndWhenCallersLeaveBeforeTheAnswer(boolean inOrder) {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.silent());
                TestProxy proxy = TestProxy.of(
                        upstream.port(),
                        PATIENT,
                        JUMPY,
                        "bulkhead: {max-concurrent-calls: 2, max-wait-duration: 0ms}");
                Callers leaving = Callers.of(proxy, 2).send("/up/");
                RawClient third = proxy.connect()) {
            await().until(() -> upstream.requests().size() == 2);
            leaving.all().forEach(client -> leave(client, inOrder));
            proxy.awaitNothingHeld();
            upstream.script(Scripts.ok());

            assertThat(third.get("/up/", "localhost").status()).isEqualTo(200);
            assertThat(upstream.connection(1).awaitEnd(Duration.ofSeconds(5))).isNotEqualTo(ConnectionEnd.OPEN);
            assertThat(upstream.connection(2).awaitEnd(Duration.ofSeconds(5))).isNotEqualTo(ConnectionEnd.OPEN);
            assertThat(proxy.upstream("up").breaker().state()).isEqualTo(BreakerState.CLOSED);
            assertThat(proxy.metric(DEPARTURES)).isEqualTo(2);
        }
    }

    @Test
    void whoLeavesTheQueueNeverHasAPermit() {
        CountDownLatch release = new CountDownLatch(1);
        try (ScriptedUpstream upstream = ScriptedUpstream.start(
                        (request, reply) -> reply.await(release).respond(200, "ok"));
                TestProxy proxy = TestProxy.of(
                        upstream.port(), PATIENT, "bulkhead: {max-concurrent-calls: 1, max-wait-duration: 20s}");
                RawClient first = proxy.connect();
                RawClient queued = proxy.connect()) {
            first.sendRequest("GET", "/up/", "localhost");
            upstream.awaitRequest();
            queued.sendRequest("GET", "/up/", "localhost");
            await().until(() -> proxy.metric(WAITING) == 1);
            queued.rst();
            await().until(() -> proxy.metric(WAITING) == 0);
            release.countDown();

            assertThat(first.readResponse("GET").status()).isEqualTo(200);
            assertThat(upstream.requests()).hasSize(1);
        }
    }

    @Test
    void whoLeavesDuringTheConnectGivesItUp() {
        try (UnansweredPort port = UnansweredPort.open();
                TestProxy proxy = TestProxy.of(
                        port.port(), PATIENT, JUMPY, "bulkhead: {max-concurrent-calls: 2, max-wait-duration: 0ms}")) {
            for (int round = 0; round < 20; round++) {
                try (Callers callers = Callers.of(proxy, 2).send("/up/")) {
                    await().until(() -> proxy.upstream("up").bulkhead().available() == 0);
                    callers.reset();
                }
                proxy.awaitNothingHeld();
            }
            assertThat(proxy.upstream("up").breaker().state()).isEqualTo(BreakerState.CLOSED);
        }
    }

    @Test
    void whoLeavesBetweenHeadAndEndCutsTheUpstreamOff() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start((request, reply) ->
                        reply.startChunked(200).chunk("hello").hold());
                TestProxy proxy = TestProxy.of(
                        upstream.port(),
                        PATIENT,
                        JUMPY,
                        "bulkhead: {max-concurrent-calls: 1, max-wait-duration: 0ms}")) {
            for (int round = 1; round <= 20; round++) {
                RawClient client = proxy.connect();
                client.sendRequest("GET", "/up/", "localhost");
                await().until(() -> client.received().contains("hello"));
                client.rst();
                proxy.awaitNothingHeld();
                assertThat(upstream.connection(round).awaitEnd(Duration.ofSeconds(5)))
                        .isNotEqualTo(ConnectionEnd.OPEN);
            }
            assertThat(proxy.upstream("up").breaker().state()).isEqualTo(BreakerState.CLOSED);
        }
    }

    /** The answer and the departure meet in every order that a few microseconds allow. */
    @Test
    void nothingIsLostWhereTheAnswerAndTheDepartureCross() {
        Random random = new Random(7);
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = TestProxy.of(upstream.port(), "bulkhead: {max-concurrent-calls: 4}", JUMPY)) {
            for (int round = 0; round < 1000; round++) {
                RawClient client = proxy.connect();
                client.sendRequest("GET", "/up/" + round, "localhost");
                for (int spin = random.nextInt(40_000); spin > 0; spin--) {
                    Thread.onSpinWait();
                }
                client.rst();
            }
            proxy.awaitNothingHeld();

            assertThat(proxy.upstream("up").breaker().state()).isEqualTo(BreakerState.CLOSED);
            try (RawClient client = proxy.connect()) {
                assertThat(client.get("/up/", "localhost").status()).isEqualTo(200);
            }
        }
    }

    /** Impatient callers must not hide a dead upstream: what had lasted longer than a slow call counts as one. */
    @Test
    void whoLeavesBehindTheSlowCallThresholdHasSeenASlowCall() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.silent());
                TestProxy proxy = TestProxy.of(
                        upstream.port(),
                        PATIENT,
                        "circuit-breaker: {sliding-window-size: 2, minimum-number-of-calls: 2,"
                                + " slow-call-duration-threshold: 200ms}");
                Callers callers = Callers.of(proxy, 2).send("/up/")) {
            await().until(() -> upstream.requests().size() == 2);
            await().pollDelay(Duration.ofMillis(400)).until(() -> true);
            callers.reset();

            await().until(() -> proxy.upstream("up").breaker().state() == BreakerState.OPEN);
            assertThat(proxy.upstream("up").breaker().delegate().getMetrics().getNumberOfFailedCalls())
                    .isZero();
        }
    }

    @Test
    void whoLeavesSoonerSaysNothingAboutTheUpstream() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.silent());
                TestProxy proxy = TestProxy.of(upstream.port(), PATIENT, JUMPY);
                Callers callers = Callers.of(proxy, 10).send("/up/")) {
            await().until(() -> upstream.requests().size() == 10);
            callers.reset();
            proxy.awaitNothingHeld();

            var counted = proxy.upstream("up").breaker().delegate().getMetrics();
            assertThat(counted.getNumberOfBufferedCalls()).isZero();
        }
    }

    /** A caller that owes the rest of its own request is slow itself. */
    @Test
    void whoLeavesWhileItOwesItsBodySaysNothingEither() {
        try (ScriptedUpstream upstream = ScriptedUpstream.startAtHead((request, reply) -> reply.hold());
                TestProxy proxy = TestProxy.of(
                        upstream.port(),
                        PATIENT,
                        "circuit-breaker: {sliding-window-size: 2, minimum-number-of-calls: 2,"
                                + " slow-call-duration-threshold: 100ms}");
                RawClient client = proxy.connect()) {
            client.send("POST /up/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n12345");
            upstream.awaitRequest();
            await().pollDelay(Duration.ofMillis(200)).until(() -> true);
            client.rst();
            proxy.awaitNothingHeld();

            assertThat(proxy.upstream("up").breaker().delegate().getMetrics().getNumberOfBufferedCalls())
                    .isZero();
        }
    }

    @Test
    void whoLeavesDuringAPauseEndsTheRetries() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.status(503, "no", "Retry-After: 1"));
                TestProxy proxy = TestProxy.of(upstream.port());
                RawClient client = proxy.connect()) {
            client.sendRequest("GET", "/up/", "localhost");
            await().until(() ->
                    proxy.metric("resilience_proxy_retries_total{reason=\"status\",route=\"default\",upstream=\"up\"}")
                            == 1);
            client.rst();
            await().until(() -> proxy.metric(DEPARTURES) == 1);
            await().pollDelay(Duration.ofMillis(1300)).until(() -> true);

            assertThat(upstream.requests()).hasSize(1);
        }
    }

    /** A late answer belongs to nobody: the next request on the caller's connection gets its own. */
    @Test
    void aLateAnswerReachesNoOneElse() {
        CountDownLatch late = new CountDownLatch(1);
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.first(
                        1,
                        (request, reply) -> reply.await(late).respond(200, "late"),
                        (request, reply) -> reply.respond(200, request.target())));
                TestProxy proxy = TestProxy.of(
                        upstream.port(),
                        "timeouts: {connect: 100ms, read: 300ms, call: 5s}",
                        "retry: {wait-duration: 1ms}");
                RawClient client = proxy.connect()) {
            assertThat(client.get("/up/1", "localhost").bodyText()).isEqualTo("/1");
            late.countDown();
            assertThat(client.get("/up/2", "localhost").bodyText()).isEqualTo("/2");
            assertThat(client.get("/up/3", "localhost").bodyText()).isEqualTo("/3");
        }
    }
}
