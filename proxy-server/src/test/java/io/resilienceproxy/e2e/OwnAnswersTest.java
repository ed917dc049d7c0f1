package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.ScriptedUpstream.Script;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.TestProxy;
import io.resilienceproxy.testkit.UnansweredPort;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the caller is told: reason, status, outcome, Proxy-Status and metrics agree in every case. */
class OwnAnswersTest {

    /** @param timeouts in flow style */
    private record Row(String reason, int status, String error, String outcome, String timeouts, Script script) {
        @Override
        public String toString() {
            return reason;
        }
    }

    private static final String PATIENT = "{connect: 1s, read: 20s, call: 40s}";
    private static final String SHORT_READ = "{connect: 50ms, read: 200ms, call: 10s}";

    static Stream<Row> answersOfAnUpstreamThatWasReached() {
        return Stream.of(
                reset(Scripts.reset()),
                reset(Scripts.close()),
                reset((request, reply) ->
                        reply.raw("HTTP/1.1 200 OK\r\nContent-Le").close()),
                reset((request, reply) -> reply.raw("HTTP/1.").rst()),
                reset((request, reply) ->
                        reply.raw("HTTP/1.1 100 Continue\r\n\r\n").close()),
                new Row("read-timeout", 504, "connection_read_timeout", "unknown", SHORT_READ, Scripts.silent()),
                malformed("SSH-2.0-OpenSSH_9.2\r\n\r\n"),
                malformed("HTTP/1.1 20x OK\r\n\r\n"),
                malformed("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"),
                malformed("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
                malformed("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n"));
    }

    private static Row reset(Script script) {
        return new Row("reset", 502, "connection_terminated", "unknown", PATIENT, script);
    }

    private static Row malformed(String response) {
        return new Row(
                "malformed-response",
                502,
                "http_protocol_error",
                "unknown",
                PATIENT,
                (request, reply) -> reply.raw(response).hold());
    }

    @ParameterizedTest
    @MethodSource
    void answersOfAnUpstreamThatWasReached(Row row) {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(row.script());
                TestProxy proxy = TestProxy.of(upstream.port(), "timeouts: " + row.timeouts())) {
            assertTold(proxy, row.reason(), row.status(), row.error(), row.outcome());
            assertThat(upstream.requests()).hasSize(1);
        }
    }

    /** A deadline that the caller sets, so that it is not the read timeout which ends the wait. */
    @Test
    void deadlineThatRunsOutAfterSending() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.silent());
                TestProxy proxy = TestProxy.of(upstream.port(), "timeouts: " + PATIENT)) {
            assertTold(proxy, "call-timeout", 504, "http_response_timeout", "unknown", "X-Request-Deadline-Ms: 400");
        }
    }

    @Test
    void callTimeoutOfThePolicy() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start((request, reply) -> {
                    for (int i = 0; i < 1000; i++) {
                        reply.raw("HTTP/1.1 102 Processing\r\n\r\n");
                        if (reply.pause(Duration.ofMillis(50))) {
                            return;
                        }
                    }
                });
                TestProxy proxy = TestProxy.of(upstream.port(), "timeouts: {connect: 200ms, read: 1s, call: 1500ms}")) {
            assertTold(proxy, "call-timeout", 504, "http_response_timeout", "unknown");
        }
    }

    @Test
    void connectionRefused() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = TestProxy.of(upstream.port(), "retry: {max-attempts: 1}")) {
            upstream.down();
            assertTold(proxy, "connection-refused", 502, "connection_refused", "not-sent");
        }
    }

    @Test
    void connectTimeout() {
        try (UnansweredPort port = UnansweredPort.open();
                TestProxy proxy = TestProxy.of(
                        port.port(), "retry: {max-attempts: 1}", "timeouts: {connect: 200ms, read: 5s, call: 10s}")) {
            assertTold(proxy, "connect-timeout", 504, "connection_timeout", "not-sent");
        }
    }

    @Test
    void nameThatDoesNotExist() {
        try (TestProxy proxy = TestProxy.start("upstreams: {up: {url: 'http://no-such-host.invalid:81',"
                + " retry: {max-attempts: 1}, timeouts: {connect: 9s, read: 10s, call: 30s}}}\n")) {
            assertTold(proxy, "dns-error", 502, "dns_error", "not-sent");
        }
    }

    @Test
    void noRoute() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = TestProxy.of(upstream.port());
                RawClient client = proxy.connect()) {
            Problem problem = Problem.of(client.get("/nowhere/", "localhost"));

            assertThat(problem.response().status()).isEqualTo(404);
            assertThat(problem.reason()).isEqualTo("no-route");
            assertThat(problem.outcome()).isEqualTo("not-sent");
            assertThat(problem.proxyStatus()).isEqualTo("resilience-proxy; error=destination_not_found");
            assertThat(problem.document().get("upstream").isNull()).isTrue();
            assertThat(client.get("/up/", "localhost").status()).isEqualTo(200);
        }
    }

    /** What had been relayed cannot be taken back: the caller must see that it is not whole. */
    @ParameterizedTest
    @MethodSource
    void brokenOffBehindItsHead(Script script) {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(script);
                TestProxy proxy = TestProxy.of(upstream.port(), "timeouts: " + SHORT_READ);
                RawClient client = proxy.connect()) {
            RawResponse response = client.get("/up/", "localhost");

            assertThat(response.status()).isEqualTo(200);
            assertThat(response.complete()).isFalse();
            assertThat(response.bodyText()).startsWith("hello");
            assertThat(upstream.requests()).hasSize(1);
            assertThat(proxy.metric("resilience_proxy_attempts_total{result=\"truncated-response\","
                            + "route=\"default\",upstream=\"up\"}"))
                    .isEqualTo(1);
            assertThat(proxy.metric("resilience_proxy_request_duration_seconds_count{outcome=\"response-aborted\","
                            + "route=\"default\",status=\"2xx\",upstream=\"up\"}"))
                    .isEqualTo(1);
            assertThat(failuresCounted(proxy)).isEqualTo(1);
        }
    }

    static Stream<Script> brokenOffBehindItsHead() {
        return Stream.of(
                (request, reply) ->
                        reply.startRaw(200, "Content-Length: 10").raw("hello").close(),
                (request, reply) -> reply.startChunked(200).chunk("hello").close(),
                (request, reply) ->
                        reply.startChunked(200).chunk("hello").raw("5;x\nWORLD").hold(),
                (request, reply) ->
                        reply.startRaw(200, "Content-Length: 10").raw("hello").hold());
    }

    private static int failuresCounted(TestProxy proxy) {
        return proxy.upstream("up").breaker().delegate().getMetrics().getNumberOfFailedCalls();
    }

    /** Of the address that was tried; a name without addresses has none. */
    private static String nextHop(TestProxy proxy, String reason) {
        int port = proxy.upstream("up").policy().url().port();
        return reason.equals("dns-error") ? "" : "; next-hop=\"127.0.0.1:" + port + "\"";
    }

    private static void assertTold(
            TestProxy proxy, String reason, int status, String error, String outcome, String... fields) {
        try (RawClient client = proxy.connect().patience(Duration.ofSeconds(20))) {
            String[] all = Stream.concat(Stream.of("Content-Length: 2"), Stream.of(fields))
                    .toArray(String[]::new);
            client.sendRequest("POST", "/up/", "localhost", all).send("{}");
            Problem problem = Problem.of(client.readFinalResponse("POST"));

            assertThat(problem.reason()).isEqualTo(reason);
            assertThat(problem.response().status()).isEqualTo(status);
            assertThat(problem.outcome()).isEqualTo(outcome);
            assertThat(problem.attempts()).isEqualTo(1);
            assertThat(problem.proxyStatus()).isEqualTo("resilience-proxy; error=" + error + nextHop(proxy, reason));
            assertThat(problem.response().field("Retry-After")).isNull();
            assertThat(problem.document().get("upstream").textValue()).isEqualTo("up");
            assertThat(problem.document().get("route").textValue()).isEqualTo("default");
        }
        assertThat(proxy.metric(
                        "resilience_proxy_attempts_total{result=\"" + reason + "\",route=\"default\",upstream=\"up\"}"))
                .isEqualTo(1);
        assertThat(proxy.metric("resilience_proxy_own_answers_total{reason=\"" + reason
                        + "\",route=\"default\",upstream=\"up\"}"))
                .isEqualTo(1);
        assertThat(proxy.metric("resilience_proxy_request_duration_seconds_count{outcome=\"" + outcome
                        + "\",route=\"default\",status=\"5xx\",upstream=\"up\"}"))
                .isEqualTo(1);
        assertThat(failuresCounted(proxy)).isEqualTo(1);
    }
}
