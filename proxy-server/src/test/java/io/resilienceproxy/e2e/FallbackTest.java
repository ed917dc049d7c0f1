package io.resilienceproxy.e2e;

import static io.resilienceproxy.e2e.FallbackDrillsTest.assertStale;
import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.ScriptedUpstream.Script;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.TestProxy;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What callers get from the fallback, and what they do not. */
class FallbackTest {

    private static final String STALE = "fallback: {stale-if-error: 1h}";
    private static final String ONCE = "retry: {max-attempts: 1}";

    private final ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());

    @AfterEach
    void stop() {
        upstream.close();
    }

    private RawResponse failing(RawClient client, Script script, String... fields) {
        upstream.script(script);
        return client.get("/up/a", "localhost", fields);
    }

    @Test
    void aFailureStatusIsAnsweredFromMemoryAfterItsRetriesAndItsConnectionLives() {
        try (TestProxy proxy = TestProxy.of(upstream.port(), STALE, "retry: {max-attempts: 2, wait-duration: 1ms}");
                RawClient client = proxy.connect()) {
            client.get("/up/a", "localhost");
            RawResponse stale = failing(client, Scripts.status(503, "sorry"));

            assertStale(stale, "ok");
            assertThat(stale.field("Proxy-Status"))
                    .isEqualTo("resilience-proxy; received-status=503; attempts=2; next-hop=\"127.0.0.1:"
                            + upstream.port() + "\"");
            assertThat(upstream.requests()).hasSize(3);
            assertThat(upstream.connections()).hasSize(1);
            assertThat(proxy.upstream("up").breaker().delegate().getMetrics().getNumberOfFailedCalls())
                    .isEqualTo(2);
        }
    }

    @Test
    void aLongFailureIsNotWaitedForNorIsOneThatBreaksOff() {
        try (TestProxy proxy = TestProxy.of(upstream.port(), STALE, ONCE);
                RawClient client = proxy.connect()) {
            client.get("/up/a", "localhost");
            String long100k = "x".repeat(100_000);

            assertStale(failing(client, Scripts.status(500, long100k)), "ok");
            assertStale(
                    failing(
                            client,
                            (request, reply) -> reply.raw("HTTP/1.1 500 E\r\nContent-Length: 9\r\n\r\nx")
                                    .rst()),
                    "ok");
            assertStale(failing(client, (request, reply) -> reply.respond(500, "")), "ok");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 404, 429})
    void whatTheUpstreamSaysIsWrongWithARequestStands(int status) {
        try (TestProxy proxy =
                        TestProxy.of(upstream.port(), STALE, ONCE, "circuit-breaker: {failure-statuses: [429, 5xx]}");
                RawClient client = proxy.connect()) {
            client.get("/up/a", "localhost");

            RawResponse response = failing(client, Scripts.status(status, "no"));

            assertThat(response.status()).isEqualTo(status);
            assertThat(response.field("X-Degraded")).isNull();
        }
    }

    @Test
    void aCallerThatWantsNoDegradedAnswerGetsTheHonestOne() {
        try (TestProxy proxy = TestProxy.of(upstream.port(), STALE, ONCE);
                RawClient client = proxy.connect()) {
            client.get("/up/a", "localhost");

            Problem refusal = Problem.of(failing(client, Scripts.reset(), "x-accept-degraded: No"));
            assertThat(refusal.reason()).isEqualTo("reset");
            RawResponse failure = failing(client, Scripts.status(500, "why"), "X-Accept-Degraded: no");
            assertThat(failure.bodyText()).isEqualTo("why");
            assertStale(failing(client, Scripts.reset(), "X-Accept-Degraded: yes"), "ok");

            assertThat(proxy.metric("resilience_proxy_degraded_declined_total{route=\"default\",upstream=\"up\"}"))
                    .isEqualTo(2);
            // The next proxy on the way may have a fallback too: it is the caller's word to all of them.
            assertThat(upstream.requests().get(1).field("X-Accept-Degraded")).isEqualTo("No");
        }
    }

    @Test
    void aFullBulkheadIsAnsweredFromMemory() throws InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        try (TestProxy proxy =
                        TestProxy.of(upstream.port(), STALE, "bulkhead: {max-concurrent-calls: 1, max-waiting: 0}");
                RawClient client = proxy.connect();
                RawClient holder = proxy.connect()) {
            client.get("/up/a", "localhost");
            upstream.script((request, reply) -> reply.await(release).respond(200, "late"));
            holder.sendRequest("GET", "/up/b", "localhost");
            org.awaitility.Awaitility.await().until(() -> upstream.requests().size() == 2);

            RawResponse stale = client.get("/up/a", "localhost");
            assertStale(stale, "ok");
            assertThat(stale.field("Proxy-Status")).isEqualTo("resilience-proxy; error=connection_limit_reached");
            release.countDown();
            assertThat(holder.readResponse("GET").bodyText()).isEqualTo("late");
        }
    }

    @Test
    void aHeadIsAnsweredWithoutABodyAndTheConnectionGoesOn() {
        try (TestProxy proxy = TestProxy.of(upstream.port(), STALE, ONCE);
                RawClient client = proxy.connect()) {
            client.get("/up/a", "localhost");
            upstream.script(Scripts.reset());

            client.sendRequest("HEAD", "/up/a", "localhost");
            RawResponse head = client.readResponse("HEAD");
            assertThat(head.field("X-Degraded")).isEqualTo("stale");
            assertThat(head.field("Content-Length")).isEqualTo("2");
            assertStale(client.get("/up/a", "localhost"), "ok");
        }
    }

    @Test
    void aLaterGoodAnswerReplacesTheOneBeforeAndABrokenOneDoesNot() {
        try (TestProxy proxy = TestProxy.of(upstream.port(), STALE, ONCE);
                RawClient client = proxy.connect();
                RawClient other = proxy.connect()) {
            client.get("/up/a", "localhost");
            upstream.script((request, reply) ->
                    reply.startChunked(200).chunk("sec").chunk("ond").endChunks());
            client.get("/up/a", "localhost");
            upstream.script(
                    (request, reply) -> reply.startChunked(200).chunk("thi").close());
            assertThat(other.get("/up/a", "localhost").complete()).isFalse();

            RawResponse stale = failing(client, Scripts.reset());
            assertStale(stale, "second");
            assertThat(stale.field("Content-Length")).isEqualTo("6");
            assertThat(stale.field("Transfer-Encoding")).isNull();
        }
    }

    /** Through the whole proxy; the store's own test tries harder. */
    @Test
    void usersAreKeptApart() {
        Script whoAmI = (request, reply) -> reply.respond(200, String.valueOf(request.field("Authorization")));
        try (TestProxy proxy = TestProxy.of(
                        upstream.port(), "fallback: {stale-if-error: 1h, key-headers: [Authorization]}", ONCE);
                RawClient client = proxy.connect()) {
            upstream.script(whoAmI);
            client.get("/up/a", "localhost", "Authorization: alice");
            client.get("/up/a", "localhost", "authorization: bob");
            client.get("/up/a", "localhost", "Authorization: alice", "Cookie: c=1");

            assertStale(failing(client, Scripts.reset(), "AUTHORIZATION: alice"), "alice");
            assertStale(failing(client, Scripts.reset(), "Authorization: bob"), "bob");
            assertThat(failing(client, Scripts.reset()).status()).isEqualTo(502);
            assertThat(failing(client, Scripts.reset(), "Authorization: Alice").status())
                    .isEqualTo(502);
            assertThat(failing(client, Scripts.reset(), "Authorization: alice", "Cookie: c=1")
                            .status())
                    .isEqualTo(502);
        }
    }

    @Test
    void aRouteCanHaveAnotherFallbackThanItsUpstream() {
        try (TestProxy proxy = TestProxy.of(
                        upstream.port(),
                        STALE,
                        ONCE,
                        "routes: [{name: list, path: /list, fallback: {response: {body: '[]'}}},"
                                + " {name: bare, path: /bare, fallback: {stale-if-error: 0ms}}]");
                RawClient client = proxy.connect()) {
            client.get("/up/bare", "localhost");
            upstream.script(Scripts.reset());

            assertThat(client.get("/up/list", "localhost").bodyText()).isEqualTo("[]");
            assertThat(client.get("/up/bare", "localhost").status()).isEqualTo(502);
            assertThat(client.get("/up/other", "localhost").status()).isEqualTo(502);
        }
    }

    @Test
    void answersLiveOnOverAReloadUnlessTheUrlIsAnother() {
        try (TestProxy proxy = TestProxy.of(upstream.port(), STALE, ONCE);
                ScriptedUpstream moved = ScriptedUpstream.start(Scripts.reset());
                RawClient client = proxy.connect()) {
            client.get("/up/a", "localhost");
            upstream.script(Scripts.reset());
            String policy = "upstreams: {up: {url: 'http://127.0.0.1:%d', retry: {max-attempts: 1},"
                    + " fallback: {stale-if-error: 2h, max-bytes: 1MiB}}}";

            proxy.reload(policy.formatted(upstream.port()));
            assertStale(client.get("/up/a", "localhost"), "ok");

            proxy.reload(policy.formatted(moved.port()));
            assertThat(client.get("/up/a", "localhost").status()).isEqualTo(502);
        }
    }

    /** {@code /up/a} is {@code /a} of the upstream by its name in the path, and {@code /up/a} by its name in Host. */
    @Test
    void whatThePathAndWhatHostAddressesAreKeptApart() {
        upstream.script((request, reply) -> reply.respond(200, request.target()));
        try (TestProxy proxy = TestProxy.of(upstream.port(), STALE, ONCE, "hosts: [pay.test]");
                RawClient client = proxy.connect()) {
            assertThat(client.get("/up/a", "localhost").bodyText()).isEqualTo("/a");
            upstream.script(Scripts.reset());

            assertThat(client.get("/up/a", "pay.test").status()).isEqualTo(502);
            assertStale(client.get("/up/a", "localhost"), "/a");
        }
    }

    @Test
    void whyAnAnswerIsNotKeptIsCounted() {
        upstream.script(Scripts.status(200, "ok", "Cache-Control: private"));
        try (TestProxy proxy = TestProxy.of(upstream.port(), STALE, ONCE);
                RawClient client = proxy.connect()) {
            client.get("/up/a", "localhost");
            client.sendRequest("POST", "/up/a", "localhost", "Content-Length: 0");
            client.readResponse("POST");

            assertThat(
                            proxy.metric(
                                    "resilience_proxy_fallback_not_kept_total{reason=\"cache-control\",route=\"default\",upstream=\"up\"}"))
                    .isEqualTo(1);
        }
    }
}
