package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.ScriptedUpstream.Script;
import io.resilienceproxy.testkit.TestProxy;
import io.resilienceproxy.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A route with {@code stream: true}: the call timeout ends at the head, the read timeout still guards the silence. */
class StreamTest {

    private static final String ROUTE = "routes: [{name: events, path: /events, stream: true}]";
    private static final String TIMEOUTS = "timeouts: {connect: 200ms, read: 800ms, call: 1s}";
    private static final int EVENTS = 8;

    private static Script events(List<Long> sentAt) {
        return (request, reply) -> {
            reply.startChunked(200, "Content-Type: text/event-stream");
            for (int i = 0; i < EVENTS; i++) {
                if (reply.pause(Duration.ofMillis(300))) {
                    return;
                }
                sentAt.add(Clock.SYSTEM.nanoTime());
                reply.chunk("data: " + i + "\n\n");
            }
            reply.endChunks();
        };
    }

    @Test
    void aStreamOutlivesTheCallTimeoutAndEachEventArrivesAsItIsSent() {
        List<Long> sentAt = new CopyOnWriteArrayList<>();
        try (ScriptedUpstream upstream = ScriptedUpstream.start(events(sentAt));
                TestProxy proxy = TestProxy.of(upstream.port(), TIMEOUTS, ROUTE);
                RawClient client = proxy.connect()) {
            client.sendRequest("GET", "/up/events", "localhost");
            await().until(() -> client.received().contains("text/event-stream"));
            assertThat(client.received()).doesNotContain("data: 0");

            for (int i = 0; i < EVENTS; i++) {
                String event = "data: " + i + "\n";
                await().pollInterval(Duration.ofMillis(5))
                        .until(() -> client.received().contains(event));
                // Before the next one is sent, 300 ms later: it was not held back.
                assertThat(sentAt).hasSize(i + 1);
            }
            RawResponse response = client.readResponse("GET");
            assertThat(response.complete()).isTrue();
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
        try (ScriptedUpstream upstream = ScriptedUpstream.start(events(new CopyOnWriteArrayList<>()));
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
        try (ScriptedUpstream upstream = ScriptedUpstream.start(events(new CopyOnWriteArrayList<>()));
                TestProxy proxy = TestProxy.of(upstream.port(), TIMEOUTS, ROUTE);
                RawClient client = proxy.connect()) {
            RawResponse response = client.get("/up/events", "localhost", "X-Request-Deadline-Ms: 900");

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
