package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.resilienceproxy.resilience.BreakerState;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.TestProxy;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the proxy refuses and what callers do is not held against the upstream; each has a reason of its own. */
class BlameTest {

    private static final String JUMPY = "circuit-breaker: {sliding-window-size: 5, minimum-number-of-calls: 2,"
            + " failure-rate-threshold: 1, slow-call-rate-threshold: 1, slow-call-duration-threshold: 9s}";
    private static final String PATIENT = "timeouts: {connect: 9s, read: 20s, call: 40s}";

    private final ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
    private final TestProxy proxy = TestProxy.of(upstream.port(), JUMPY, PATIENT);

    @AfterEach
    void stop() {
        proxy.close();
        upstream.close();
    }

    private void assertNothingCounted() {
        proxy.awaitNothingHeld();
        assertThat(proxy.upstream("up").breaker().state()).isEqualTo(BreakerState.CLOSED);
        assertThat(proxy.upstream("up").breaker().delegate().getMetrics().getNumberOfFailedCalls())
                .isZero();
    }

    @Test
    void aDeadlineThatHasRunOutIsTheCallers() {
        try (RawClient client = proxy.connect()) {
            for (int i = 0; i < 20; i++) {
                assertThat(Problem.of(client.get("/up/", "localhost", "X-Request-Deadline-Ms: 1"))
                                .reason())
                        .isEqualTo("deadline-exhausted");
            }
        }
        assertNothingCounted();
    }

    /** The upstream had its chance: a deadline that runs out behind the request is a failure, whoever set it. */
    @Test
    void aDeadlineThatRunsOutBehindTheRequestIsTheUpstreams() {
        upstream.script(Scripts.silent());
        try (Callers callers = Callers.of(proxy, 5)) {
            callers.all()
                    .forEach(client -> client.sendRequest("GET", "/up/", "localhost", "X-Request-Deadline-Ms: 300"));
            callers.responses();
        }
        assertThat(proxy.upstream("up").breaker().state()).isEqualTo(BreakerState.OPEN);
    }

    @Test
    void malformedRequestsAreTheCallers() {
        for (int i = 0; i < 20; i++) {
            try (RawClient client = proxy.connect()) {
                client.send("GET /up/ HTTP/1.1\r\nHost : localhost\r\n\r\n");
                assertThat(client.readResponse("GET").status()).isEqualTo(400);
            }
        }
        assertNothingCounted();
        assertThat(upstream.connections()).isEmpty();
    }

    /** Behind its head a request has reached the upstream, and still it is the caller who broke off. */
    @Test
    void malformedBodiesAreTheCallersToo() {
        for (int i = 0; i < 20; i++) {
            try (RawClient client = proxy.connect()) {
                client.send(
                        "POST /up/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n");
                Problem problem = Problem.of(client.readFinalResponse("POST"));
                assertThat(problem.response().status()).isEqualTo(400);
                assertThat(problem.reason()).isEqualTo("bad-request");
            }
        }
        assertNothingCounted();
        upstream.forgiveFaults();
    }

    /** A body that does not come is the caller's silence, not the upstream's. */
    @Test
    void aBodyThatDoesNotComeIsTheCallersFault() {
        upstream.script(Scripts.ok());
        try (RawClient client = proxy.connect()) {
            client.send("POST /up/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n"
                    + "X-Request-Deadline-Ms: 500\r\n\r\n12345");
            Problem problem = Problem.of(client.readFinalResponse("POST"));

            assertThat(problem.response().status()).isEqualTo(408);
            assertThat(problem.reason()).isEqualTo("request-timeout");
            assertThat(client.isClosedByPeer(Duration.ofSeconds(5))).isTrue();
        }
        assertNothingCounted();
        upstream.forgiveFaults();
    }

    /** It is due: the caller may wait for the word to go on, and the upstream does not say it. */
    @Test
    void aWordToGoOnThatDoesNotComeIsTheUpstreamsFault() {
        try (ScriptedUpstream mute = ScriptedUpstream.startAtHead((request, reply) -> reply.hold());
                TestProxy expecting = TestProxy.of(
                        mute.port(),
                        JUMPY,
                        "timeouts: {connect: 200ms, read: 300ms, call: 9s}",
                        "retry: {max-attempts: 1}");
                RawClient client = expecting.connect()) {
            client.send("POST /up/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
            Problem problem = Problem.of(client.readFinalResponse("POST"));

            assertThat(problem.reason()).isEqualTo("read-timeout");
            assertThat(problem.outcome()).isEqualTo("unknown");
            assertThat(expecting
                            .upstream("up")
                            .breaker()
                            .delegate()
                            .getMetrics()
                            .getNumberOfFailedCalls())
                    .isOne();
            mute.forgiveFaults();
        }
    }

    @Test
    void departuresAreCountedApart() {
        upstream.script(Scripts.silent());
        try (Callers callers = Callers.of(proxy, 10).send("/up/")) {
            await().until(() -> upstream.requests().size() == 10);
            callers.reset();
            await().until(() ->
                    proxy.metric("resilience_proxy_caller_departures_total{route=\"default\",upstream=\"up\"}") == 10);
        }
        assertNothingCounted();
        assertThat(proxy.metric("resilience_proxy_request_duration_seconds_count{outcome=\"caller-left\","
                        + "route=\"default\",status=\"none\",upstream=\"up\"}"))
                .isEqualTo(10);
    }
}
