package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import eu.rekawek.toxiproxy.Proxy;
import eu.rekawek.toxiproxy.model.ToxicDirection;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.TestProxy;
import io.resilienceproxy.testkit.Toxiproxy;
import io.resilienceproxy.testkit.ToxiproxyExtension;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The three scenarios between "all well" and "all dead": down with something good in memory, down without, slow. */
@ExtendWith(ToxiproxyExtension.class)
class FallbackDrillsTest {

    private static final String DEFAULT_ANSWER =
            "response: {status: 200, headers: {Content-Type: application/json}, body: '[]'}";

    private final ScriptedUpstream upstream =
            ScriptedUpstream.start(Scripts.status(200, "rates", "Content-Type: text/plain", "ETag: \"1\""));

    @AfterEach
    void stop() {
        upstream.close();
    }

    private static TestProxy proxy(Proxy link, int breakerCalls, String fallback) {
        return TestProxy.of(
                Toxiproxy.port(link),
                "timeouts: {connect: 500ms, read: 700ms, call: 6s}",
                "circuit-breaker: {sliding-window-size: 100, minimum-number-of-calls: " + breakerCalls + "}",
                "retry: {max-attempts: 2, wait-duration: 1ms}",
                "fallback: {" + fallback + "}");
    }

    private static String nextHop(Proxy link) {
        return "; next-hop=\"127.0.0.1:" + Toxiproxy.port(link) + "\"";
    }

    static double degraded(TestProxy proxy, String kind) {
        return proxy.metric(
                "resilience_proxy_degraded_answers_total{kind=\"" + kind + "\",route=\"default\",upstream=\"up\"}");
    }

    @Test
    void downWithSomethingGoodInMemory(Toxiproxy toxiproxy) throws IOException {
        Proxy link = toxiproxy.before(upstream.port());
        try (TestProxy proxy = proxy(link, 4, "stale-if-error: 1h, " + DEFAULT_ANSWER);
                RawClient client = proxy.connect()) {
            RawResponse real = client.get("/up/a", "localhost");
            assertThat(real.field("X-Degraded")).isNull();
            link.disable();

            RawResponse stale = client.get("/up/a", "localhost");
            assertStale(stale, "rates");
            assertThat(stale.field("Proxy-Status"))
                    .isEqualTo("resilience-proxy; error=connection_refused; attempts=2" + nextHop(link));
            assertThat(stale.field("ETag")).isEqualTo("\"1\"");

            // The breaker opens as it would without a fallback, and then nothing is tried any more.
            client.get("/up/a", "localhost");
            RawResponse refused = client.get("/up/a", "localhost");
            assertStale(refused, "rates");
            assertThat(refused.field("Proxy-Status")).isEqualTo("resilience-proxy; error=destination_unavailable");
            assertThat(refused.field("Retry-After")).isNull();

            // What is not in memory, and only that, is answered by default; a write never is.
            assertThat(client.get("/up/b", "localhost").field("X-Degraded")).isEqualTo("default");
            client.sendRequest("POST", "/up/a", "localhost", "Content-Length: 0");
            assertThat(Problem.of(client.readResponse("POST")).reason()).isEqualTo("circuit-open");

            assertThat(degraded(proxy, "stale")).isEqualTo(3);
            assertThat(degraded(proxy, "default")).isEqualTo(1);
            assertThat(proxy.metric("resilience_proxy_degraded_exchanges_total"))
                    .isEqualTo(4);
            assertThat(proxy.metric("resilience_proxy_exchanges_total")).isEqualTo(6);
            assertThat(proxy.metric("resilience_proxy_fallback_entries{upstream=\"up\"}"))
                    .isEqualTo(1);
            assertThat(proxy.metric("resilience_proxy_fallback_bytes{upstream=\"up\"}"))
                    .isBetween(500.0, 1000.0);
        }
    }

    static void assertStale(RawResponse response, String body) {
        assertThat(response.status()).as(response.toString()).isEqualTo(200);
        assertThat(response.complete()).isTrue();
        assertThat(response.bodyText()).isEqualTo(body);
        assertThat(response.fieldValues("X-Degraded")).containsExactly("stale");
        assertThat(response.fieldValues("Cache-Status")).containsExactly("resilience-proxy; hit; fwd=stale");
        assertThat(response.field("Age")).matches("[0-9]{1,2}");
    }

    @Test
    void downWithNothingGoodOnAColdStart(Toxiproxy toxiproxy) throws IOException {
        Proxy link = toxiproxy.before(upstream.port());
        link.disable();
        try (TestProxy proxy = proxy(link, 100, DEFAULT_ANSWER + ", stale-if-error: 1h");
                RawClient client = proxy.connect()) {
            RawResponse answer = client.get("/up/a", "localhost");

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.bodyText()).isEqualTo("[]");
            assertThat(answer.field("Content-Type")).isEqualTo("application/json");
            assertThat(answer.field("X-Degraded")).isEqualTo("default");
            assertThat(answer.field("Cache-Control")).isEqualTo("no-store");
            assertThat(answer.field("Proxy-Status"))
                    .isEqualTo("resilience-proxy; error=connection_refused; attempts=2" + nextHop(link));
            assertThat(answer.field("Date")).isNotNull();
            assertThat(answer.field("Age")).isNull();
            assertThat(answer.field("Cache-Status")).isNull();

            client.sendRequest("HEAD", "/up/a", "localhost");
            RawResponse head = client.readResponse("HEAD");
            assertThat(head.field("X-Degraded")).isEqualTo("default");
            assertThat(head.body()).isEmpty();
            assertThat(degraded(proxy, "default")).isEqualTo(2);
        }
        try (TestProxy proxy = proxy(link, 100, "stale-if-error: 1h");
                RawClient client = proxy.connect()) {
            Problem refusal = Problem.of(client.get("/up/a", "localhost"));
            assertThat(refusal.reason()).isEqualTo("connection-refused");
            assertThat(refusal.response().field("X-Degraded")).isNull();
            assertThat(proxy.metric("resilience_proxy_degraded_exchanges_total"))
                    .isZero();
        }
    }

    @Test
    void slow(Toxiproxy toxiproxy) throws IOException {
        Proxy link = toxiproxy.before(upstream.port());
        try (TestProxy proxy = proxy(link, 100, "stale-if-error: 1h");
                RawClient client = proxy.connect()) {
            client.get("/up/a", "localhost");
            link.toxics().latency("latency", ToxicDirection.DOWNSTREAM, 5000);

            RawResponse stale = client.get("/up/a", "localhost");
            assertStale(stale, "rates");
            assertThat(stale.field("Proxy-Status"))
                    .isEqualTo("resilience-proxy; error=connection_read_timeout; attempts=2" + nextHop(link));

            // A caller in a hurry gets it when its own time is up, while the attempt is in flight.
            RawResponse hurried = client.get("/up/a", "localhost", "X-Request-Deadline-Ms: 250");
            assertStale(hurried, "rates");
            assertThat(hurried.field("Proxy-Status"))
                    .isEqualTo("resilience-proxy; error=http_response_timeout" + nextHop(link));

            RawResponse late = client.get("/up/a", "localhost", "X-Request-Deadline-Ms: 0");
            assertStale(late, "rates");
            assertThat(late.field("Proxy-Status"))
                    .isEqualTo("resilience-proxy; error=http_request_denied; details=\"deadline exhausted\"");

            Problem unknown = Problem.of(client.get("/up/b", "localhost", "X-Request-Deadline-Ms: 250"));
            assertThat(unknown.reason()).isEqualTo("call-timeout");
            assertThat(degraded(proxy, "stale")).isEqualTo(3);
        }
    }
}
