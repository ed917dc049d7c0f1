package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.resilienceproxy.resilience.BreakerState;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.ServerTls;
import io.resilienceproxy.testkit.TestAuthority;
import io.resilienceproxy.testkit.TestProxy;
import io.resilienceproxy.testkit.UpstreamRequest;
import io.resilienceproxy.tls.TlsProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code /health} and what it does, and does not do, to the upstream and to traffic. */
class HealthTest {

    private static final String HEALTH = "health: {path: '/ready?full=0', ttl: 1h}";

    private final ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());

    @AfterEach
    void stop() {
        upstream.close();
    }

    private static RawResponse ask(TestProxy proxy, String path) {
        try (RawClient client = RawClient.connect(proxy.adminPort())) {
            return client.get(path, "localhost");
        }
    }

    private static JsonNode json(RawResponse response) {
        assertThat(response.field("Content-Type")).isEqualTo("application/json");
        try {
            return new ObjectMapper().readTree(response.body());
        } catch (IOException e) {
            throw new AssertionError("not JSON: " + response, e);
        }
    }

    @Test
    void tellsTheProbeAndWhatProtectsTheUpstream() {
        try (TestProxy proxy = TestProxy.of(upstream.port(), HEALTH, "routes: [{name: r, path: /r, bulkhead: {}}]")) {
            RawResponse response = ask(proxy, "/health/up");

            assertThat(response.status()).isEqualTo(200);
            JsonNode health = json(response);
            assertThat(health.get("upstream").textValue()).isEqualTo("up");
            assertThat(health.get("status").textValue()).isEqualTo("UP");
            assertThat(health.at("/probes/0/status").intValue()).isEqualTo(200);
            assertThat(health.at("/probes/0/failure").isNull()).isTrue();
            assertThat(health.at("/probes/0/age_ms").isIntegralNumber()).isTrue();
            assertThat(health.at("/probes/0/duration_ms").isIntegralNumber()).isTrue();
            assertThat(health.at("/breakers/0").toString())
                    .isEqualTo("{\"name\":\"up\",\"state\":\"closed\",\"open_for_ms\":0}");
            assertThat(health.at("/bulkheads/0").toString())
                    .isEqualTo("{\"name\":\"up\",\"limit\":16,\"available\":16,\"waiting\":0}");
            assertThat(health.at("/bulkheads/1/name").textValue()).isEqualTo("up.r");
            assertThat(health.at("/budgets").toString()).isEqualTo("[{\"name\":\"up\",\"tokens\":5.0,\"max\":10.0}]");
            assertThat(health.at("/pools/0/limit").intValue()).isEqualTo(20);
            assertThat(List.of(
                            health.at("/probes/0/site").textValue(),
                            health.at("/pools/0/site").textValue()))
                    .containsOnly("127.0.0.1:" + upstream.port());

            UpstreamRequest probe = upstream.awaitRequest();
            assertThat(probe.method() + " " + probe.target()).isEqualTo("GET /ready?full=0");
            await().until(() -> upstream.openConnections() == 0);
        }
    }

    @Test
    void aHundredThatAskAtOnceCauseOneProbe() {
        CountDownLatch release = new CountDownLatch(1);
        upstream.script((request, reply) -> reply.await(release).respond(200, ""));
        List<RawClient> clients = new ArrayList<>();
        try (TestProxy proxy = TestProxy.of(upstream.port(), HEALTH)) {
            // The admin listener takes 64 connections.
            for (int i = 0; i < 50; i++) {
                clients.add(RawClient.connect(proxy.adminPort()));
            }
            clients.forEach(client -> client.sendRequest("GET", "/health/up", "localhost"));
            clients.forEach(client -> client.sendRequest("GET", "/health", "localhost"));
            await().until(() -> upstream.requests().size() == 1);
            release.countDown();

            for (RawClient client : clients) {
                assertThat(client.readResponse("GET").status()).isEqualTo(200);
                assertThat(client.readResponse("GET").status()).isEqualTo(200);
            }
            assertThat(upstream.requests()).hasSize(1);
        } finally {
            clients.forEach(RawClient::close);
        }
    }

    @Test
    void aFailedProbeIsDownAndTheBreakerNeverHearsOfIt() {
        upstream.script(Scripts.status(503, "no"));
        try (TestProxy proxy = TestProxy.of(
                upstream.port(), HEALTH, "circuit-breaker: {sliding-window-size: 2, minimum-number-of-calls: 2}")) {
            RawResponse response = ask(proxy, "/health/up");
            assertThat(response.status()).isEqualTo(503);
            assertThat(json(response).get("status").textValue()).isEqualTo("DOWN");
            assertThat(json(response).at("/probes/0/status").intValue()).isEqualTo(503);
            assertThat(ask(proxy, "/health").status()).isEqualTo(503);

            assertThat(proxy.upstream("up").breaker().state()).isEqualTo(BreakerState.CLOSED);
            assertThat(proxy.upstream("up").breaker().delegate().getMetrics().getNumberOfBufferedCalls())
                    .isZero();
            assertThat(ask(proxy, "/readyz").status()).as("readiness").isEqualTo(200);
            assertThat(ask(proxy, "/livez").status()).as("liveness").isEqualTo(200);
            assertThat(proxy.metrics())
                    .contains("resilience_proxy_attempts_total{result=\"5xx\"")
                    .doesNotContainPattern("resilience_proxy_attempts_total.* [1-9]");
        }
    }

    @Test
    void howAProbeFailedIsTold() {
        try (TestProxy proxy = TestProxy.start("""
                defaults: {timeouts: {connect: 200ms, read: 300ms, call: 2s}, health: {path: /, ttl: 1h}}
                upstreams:
                  silent: {url: 'http://127.0.0.1:%d'}
                  gone: {url: 'http://127.0.0.1:1'}
                  resets: {url: 'http://127.0.0.1:%d'}
                """.formatted(upstream.port(), resetting.port()))) {
            upstream.script(Scripts.silent());

            JsonNode all = json(ask(proxy, "/health"));

            assertThat(all.get("status").textValue()).isEqualTo("DOWN");
            assertThat(all.get("upstreams").findValuesAsText("failure"))
                    .containsExactly("timeout", "connection-refused", "reset");
        } finally {
            resetting.close();
        }
    }

    private final ScriptedUpstream resetting = ScriptedUpstream.start(Scripts.reset());

    /** Neither the bulkhead nor the pool is asked: one that has run dry does not make a well upstream look sick. */
    @Test
    void aProbeNeedsNoPermitAndNoPlaceInThePool() {
        CountDownLatch release = new CountDownLatch(1);
        upstream.script((request, reply) -> {
            if (request.target().equals("/busy")) {
                reply.await(release);
            }
            reply.respond(200, "");
        });
        try (TestProxy proxy = TestProxy.of(
                        upstream.port(),
                        HEALTH,
                        "pool: {max-connections: 1}",
                        "bulkhead: {max-concurrent-calls: 1, max-waiting: 0}");
                RawClient client = proxy.connect()) {
            client.sendRequest("GET", "/up/busy", "localhost");
            await().until(() -> proxy.upstream("up").bulkhead().available() == 0);

            JsonNode health = json(ask(proxy, "/health/up"));

            assertThat(health.get("status").textValue()).isEqualTo("UP");
            assertThat(health.at("/bulkheads/0/available").intValue()).isZero();
            release.countDown();
            assertThat(client.readResponse("GET").status()).isEqualTo(200);
        }
    }

    @Test
    void anUpstreamThatNobodyProbesIsUnknownAndOneThatIsNotThereIsNotFound() {
        try (TestProxy proxy = TestProxy.of(upstream.port())) {
            RawResponse response = ask(proxy, "/health/up");
            assertThat(response.status()).isEqualTo(200);
            assertThat(json(response).get("status").textValue()).isEqualTo("UNKNOWN");
            assertThat(json(response).get("probes")).isEmpty();
            assertThat(json(ask(proxy, "/health")).get("status").textValue()).isEqualTo("UNKNOWN");
            assertThat(ask(proxy, "/health/other").status()).isEqualTo(404);
            assertThat(ask(proxy, "/healthy").status()).isEqualTo(404);
            assertThat(ask(proxy, "/").bodyText()).contains("\n/health\n");
            assertThat(upstream.requests()).isEmpty();
            try (RawClient client = RawClient.connect(proxy.adminPort())) {
                client.send("POST /health/up HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
                assertThat(client.readResponse("POST").status()).isEqualTo(405);
                client.sendRequest("HEAD", "/health/up", "a");
                assertThat(client.readResponse("HEAD").status()).isEqualTo(200);
                client.sendRequest("GET", "/health/up", "a").sendRequest("GET", "/livez", "a");
                assertThat(client.readResponse("GET").bodyText()).contains("UNKNOWN");
                assertThat(client.readResponse("GET").bodyText()).isEqualTo("live\n");
            }
        }
    }

    /** Whoever looks at readiness keeps it true, and does not wait for a probe. */
    @Test
    void readinessFollowsTheProbesWhereThePolicySaysSo() {
        CountDownLatch release = new CountDownLatch(1);
        upstream.script((request, reply) -> reply.await(release).respond(500, ""));
        try (TestProxy proxy = TestProxy.of(upstream.port(), "health: {path: /a, ttl: 1s, affects-readiness: true}")) {
            assertThat(ask(proxy, "/readyz").status())
                    .as("before the first outcome")
                    .isEqualTo(200);
            release.countDown();
            await().untilAsserted(() -> {
                RawResponse unready = ask(proxy, "/readyz");
                assertThat(unready.status()).isEqualTo(503);
                assertThat(unready.bodyText()).isEqualTo("not ready: the last probe of upstream up failed\n");
            });
            assertThat(ask(proxy, "/livez").status()).isEqualTo(200);

            upstream.script(Scripts.ok());
            await().until(() -> ask(proxy, "/readyz").status() == 200);
        }
    }

    /** Of several urls one that works is enough: attempts go there. Each is probed by itself. */
    @Test
    void anUpstreamOfSeveralUrlsIsUpWhileOneOfThemIs() {
        String policy = "upstreams: {up: {urls: ['http://127.0.0.1:%d', 'http://127.0.0.1:%d'],"
                + " health: {path: /h, ttl: 1h, affects-readiness: true}}}";
        try (TestProxy proxy = TestProxy.start(policy.formatted(resetting.port(), upstream.port()))) {
            RawResponse response = ask(proxy, "/health/up");

            assertThat(response.status()).isEqualTo(200);
            JsonNode health = json(response);
            assertThat(health.get("status").textValue()).isEqualTo("UP");
            assertThat(health.get("probes").findValuesAsText("site"))
                    .containsExactly("127.0.0.1:" + resetting.port(), "127.0.0.1:" + upstream.port());
            assertThat(health.at("/probes/0/failure").textValue()).isEqualTo("reset");
            assertThat(health.at("/probes/1/status").intValue()).isEqualTo(200);
            assertThat(health.get("breakers").findValuesAsText("name"))
                    .containsExactly("up@127.0.0.1:" + resetting.port(), "up@127.0.0.1:" + upstream.port());
            assertThat(health.get("pools")).hasSize(2);
            assertThat(ask(proxy, "/readyz").status()).isEqualTo(200);
        } finally {
            resetting.close();
        }
    }

    /** A probe connects as traffic does; that it cannot is told in the same words. */
    @Test
    void anHttpsUpstreamIsProbedOverTls(@TempDir Path directory) {
        TestAuthority authority = TestAuthority.create();
        String trusting = "tls: {ca-file: " + authority.writeRoot(directory) + "}";
        ServerTls tls = ServerTls.of(authority.server("127.0.0.1"));
        try (ScriptedUpstream secure = ScriptedUpstream.start(tls, Scripts.ok())) {
            for (String settings : List.of(trusting, "mode: enforce")) {
                boolean trusted = settings.equals(trusting);
                try (TestProxy proxy = TlsProxy.of(TlsProvider.JDK, secure.url(), settings, HEALTH)) {
                    JsonNode health = json(ask(proxy, "/health/up"));

                    assertThat(health.get("status").textValue()).isEqualTo(trusted ? "UP" : "DOWN");
                    assertThat(health.at("/probes/0/failure").textValue()).isEqualTo(trusted ? null : "tls-untrusted");
                }
            }
            assertThat(secure.requests()).hasSize(1);
        }
    }

    @Test
    void aReloadKeepsTheLastOutcomeUnlessTheProbeIsAnother() {
        try (TestProxy proxy = TestProxy.of(upstream.port(), HEALTH)) {
            ask(proxy, "/health/up");
            String policy = "upstreams: {up: {url: '%s', mode: observe, health: {path: %s, ttl: 1h}}}";

            proxy.reload(policy.formatted(upstream.url(), "'/ready?full=0'"));
            ask(proxy, "/health/up");
            assertThat(upstream.requests()).hasSize(1);

            proxy.reload(policy.formatted(upstream.url(), "/other"));
            ask(proxy, "/health/up");
            assertThat(upstream.requests())
                    .extracting(UpstreamRequest::target)
                    .containsExactly("/ready?full=0", "/other");

            proxy.reload("upstreams: {up: {url: '%s'}}".formatted(upstream.url()));
            assertThat(json(ask(proxy, "/health/up")).get("status").textValue()).isEqualTo("UNKNOWN");
        }
    }
}
