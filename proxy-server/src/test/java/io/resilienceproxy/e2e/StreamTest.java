package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.ScriptedUpstream.Script;
import io.resilienceproxy.testkit.TestProxy;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A route with {@code stream: true}: the call timeout ends at the head, the read timeout still guards the silence. */
class StreamTest {

    private static final String ROUTE = "routes: [{name: events, path: /events, stream: true}]";
    private static final String TIMEOUTS = "timeouts: {connect: 200ms, read: 2s, call: 3s}";
    private static final int EVENTS = 8;

    /** One event every half second: all of them take longer than the call timeout. */
    private static Script events() {
        return (request, reply) -> {
            reply.startChunked(200, "Content-Type: text/event-stream");
            for (int i = 0; i < EVENTS; i++) {
                if (reply.pause(Duration.ofMillis(500))) {
                    return;
                }
                reply.chunk("data: " + i + "\n\n");
            }
            reply.endChunks();
        };
    }

    @Test
    void aStreamOutlivesTheCallTimeout() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(events());
                TestProxy proxy = TestProxy.of(upstream.port(), TIMEOUTS, ROUTE);
                RawClient client = proxy.connect().patience(Duration.ofSeconds(20))) {
            RawResponse response = client.get("/up/events", "localhost");

            assertThat(response.complete()).isTrue();
            assertThat(response.bodyText()).endsWith("data: 7\n\n");
        }
    }

    /** The head and each event are sent only when the caller has what came before: what is held back never comes. */
    @Test
    void nothingOfAStreamIsHeldBack() {
        Semaphore seen = new Semaphore(0);
        try (ScriptedUpstream upstream = ScriptedUpstream.start((request, reply) -> {
                    reply.startChunked(200, "Content-Type: text/event-stream");
                    for (int i = 0; i < EVENTS; i++) {
                        assertThat(seen.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
                        reply.chunk("data: " + i + "\n\n");
                    }
                    reply.endChunks();
                });
                TestProxy proxy = TestProxy.of(upstream.port(), ROUTE);
                RawClient client = proxy.connect()) {
            client.sendRequest("GET", "/up/events", "localhost");
            await().until(() -> client.received().contains("text/event-stream"));
            for (int i = 0; i < EVENTS; i++) {
                String event = "data: " + i + "\n";
                seen.release();
                await().pollInterval(Duration.ofMillis(2))
                        .until(() -> client.received().contains(event));
            }

            assertThat(client.readResponse("GET").complete()).isTrue();
        }
    }

    @Test
    void aStreamThatFallsSilentIsCutOffByTheReadTimeout() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start((request, reply) ->
                        reply.startChunked(200).chunk("data: 0").hold());
                TestProxy proxy = TestProxy.of(upstream.port(), TIMEOUTS, ROUTE);
                RawClient client = proxy.connect()) {
            RawResponse response = client.get("/up/events", "localhost");

            assertThat(response.bodyText()).isEqualTo("data: 0");
            assertThat(response.complete()).isFalse();
        }
    }

    @Test
    void withoutItsRouteTheSameResponseIsCutOffByTheCallTimeout() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(events());
                TestProxy proxy = TestProxy.of(upstream.port(), TIMEOUTS, ROUTE);
                RawClient client = proxy.connect()) {
            RawResponse response = client.get("/up/other", "localhost");

            assertThat(response.status()).isEqualTo(200);
            assertThat(response.complete()).isFalse();
            assertThat(response.bodyText()).doesNotContain("data: 7");
        }
    }

    @Test
    void aDeadlineThatTheCallerSetsCutsAStreamToo() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(events());
                TestProxy proxy = TestProxy.of(upstream.port(), TIMEOUTS, ROUTE);
                RawClient client = proxy.connect()) {
            RawResponse response = client.get("/up/events", "localhost", "X-Request-Deadline-Ms: 2500");

            assertThat(response.status()).isEqualTo(200);
            assertThat(response.complete()).isFalse();
            assertThat(response.bodyText()).doesNotContain("data: 7");
        }
    }

    /** Until its head comes a stream is a call like any other. */
    @Test
    void theHeadOfAStreamIsDueWithinTheCallTimeout() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start((request, reply) -> {
                    while (!reply.pause(Duration.ofMillis(100))) {
                        reply.raw("HTTP/1.1 102 Processing\r\n\r\n");
                    }
                });
                TestProxy proxy = TestProxy.of(upstream.port(), TIMEOUTS, ROUTE);
                RawClient client = proxy.connect()) {
            client.sendRequest("POST", "/up/events", "localhost", "Content-Length: 0");

            assertThat(Problem.of(client.readFinalResponse("POST")).reason()).isEqualTo("call-timeout");
        }
    }
}
