package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.resilienceproxy.resilience.Breaker;
import io.resilienceproxy.resilience.BreakerState;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.TestProxy;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An upstream with a second url to go to while the first does not work. */
class SitesTest {

    private static final String FAST_BREAKER =
            "circuit-breaker: {sliding-window-size: 10, minimum-number-of-calls: 4, wait-duration-in-open-state: 500ms,"
                    + " permitted-number-of-calls-in-half-open-state: 2}";
    private static final int WINDOW = 4;

    private final ScriptedUpstream east = ScriptedUpstream.startAt("127.0.0.2", 0, Scripts.status(200, "east"));
    private final ScriptedUpstream west = ScriptedUpstream.startAt("127.0.0.3", 0, Scripts.status(200, "west"));

    @AfterEach
    void close() {
        east.close();
        west.close();
    }

    private String eastSite() {
        return "127.0.0.2:" + east.port();
    }

    private String westSite() {
        return "127.0.0.3:" + west.port();
    }

    private String policy(String... settings) {
        return policyOf("urls: ['http://" + eastSite() + "', 'http://" + westSite() + "']", settings);
    }

    private static String policyOf(String urls, String... settings) {
        return "upstreams:\n  up:\n    " + urls + "\n"
                + String.join(
                        "", Stream.of(settings).map(s -> "    " + s + "\n").toList());
    }

    private static String get(RawClient client) {
        return client.get("/up/", "localhost").bodyText();
    }

    private static List<BreakerState> states(TestProxy proxy) {
        return proxy.upstream("up").breakers().stream().map(Breaker::state).toList();
    }

    @Test
    void thePreferredUrlTakesEverythingWhileItWorks() {
        try (TestProxy proxy = TestProxy.start(policy());
                RawClient client = proxy.connect()) {
            for (int i = 0; i < 10; i++) {
                assertThat(get(client)).isEqualTo("east");
            }
            assertThat(west.connections()).isEmpty();
        }
    }

    /** Retries may help while its breaker has not opened; behind that nobody asks the dead site but probes. */
    @Test
    void trafficMovesWithinOneWindowWhenThePreferredUrlDiesAndReturnsWhenItRecovers() {
        try (TestProxy proxy = TestProxy.start(policy(FAST_BREAKER, "retry: {max-attempts: 1}"));
                RawClient client = proxy.connect()) {
            assertThat(get(client)).isEqualTo("east");
            east.down();
            east.resetConnections();

            int refused = 0;
            RawResponse response = client.get("/up/", "localhost");
            while (response.status() != 200) {
                assertThat(Problem.of(response).reason()).isIn("connection-refused", "reset");
                refused++;
                response = client.get("/up/", "localhost");
            }
            assertThat(refused).isLessThanOrEqualTo(WINDOW);
            assertThat(response.bodyText()).isEqualTo("west");
            assertThat(states(proxy)).containsExactly(BreakerState.OPEN, BreakerState.CLOSED);
            assertThat(proxy.metric("resilience_proxy_breaker_state{breaker=\"up@" + eastSite()
                            + "\",state=\"open\",upstream=\"up\"}"))
                    .isEqualTo(1);

            east.up();
            await().atMost(Duration.ofSeconds(10)).until(() -> get(client).equals("east"));
            await().atMost(Duration.ofSeconds(10)).until(() -> {
                get(client);
                return states(proxy).get(0) == BreakerState.CLOSED;
            });
            int before = west.requests().size();
            for (int i = 0; i < 10; i++) {
                assertThat(get(client)).isEqualTo("east");
            }
            assertThat(west.requests()).hasSize(before);
        }
    }

    /** With attempts to spare no caller sees the death of the first site. */
    @Test
    void retriesGoToTheNextUrlAsSoonAsThePreferredOneIsOpen() {
        try (TestProxy proxy = TestProxy.start(policy(
                        "circuit-breaker: {sliding-window-size: 2, minimum-number-of-calls: 2}",
                        "retry: {max-attempts: 3, wait-duration: 1ms}"));
                RawClient client = proxy.connect()) {
            east.down();

            RawResponse response = client.get("/up/", "localhost");

            assertThat(response.bodyText()).isEqualTo("west");
            assertThat(response.field("Proxy-Status"))
                    .isEqualTo("resilience-proxy; attempts=3; next-hop=\"" + westSite() + "\"");
        }
    }

    @Test
    void whereEveryUrlIsOpenTheCallerIsToldTheShortestWait() {
        try (TestProxy proxy = TestProxy.start(policy(
                        "circuit-breaker: {sliding-window-size: 2, minimum-number-of-calls: 2,"
                                + " wait-duration-in-open-state: 30s}",
                        "retry: {max-attempts: 1}"));
                RawClient client = proxy.connect()) {
            east.down();
            west.down();
            for (int i = 0; i < 4; i++) {
                Problem problem = Problem.of(client.get("/up/", "localhost"));
                assertThat(problem.reason()).isEqualTo("connection-refused");
                assertThat(problem.proxyStatus())
                        .isEqualTo("resilience-proxy; error=connection_refused; next-hop=\""
                                + (i < 2 ? eastSite() : westSite()) + "\"");
            }

            RawResponse refused = client.get("/up/", "localhost");

            assertThat(Problem.of(refused).reason()).isEqualTo("circuit-open");
            assertThat(Problem.of(refused).proxyStatus()).isEqualTo("resilience-proxy; error=destination_unavailable");
            assertThat(Integer.parseInt(refused.field("Retry-After"))).isBetween(20, 30);
            assertThat(states(proxy)).containsOnly(BreakerState.OPEN);
        }
    }

    /** A breaker that is observed only moves nothing; what it would have refused is counted. */
    @Test
    void observedBreakersMoveNoTraffic() {
        try (TestProxy proxy = TestProxy.start(policy(
                        "mode: observe",
                        "circuit-breaker: {sliding-window-size: 2, minimum-number-of-calls: 2}",
                        "retry: {max-attempts: 1}"));
                RawClient client = proxy.connect()) {
            east.script(Scripts.status(500, "east"));
            for (int i = 0; i < 10; i++) {
                assertThat(get(client)).isEqualTo("east");
            }

            assertThat(west.requests()).isEmpty();
            assertThat(states(proxy)).containsExactly(BreakerState.OPEN, BreakerState.CLOSED);
            assertThat(proxy.metric("resilience_proxy_breaker_rejections_total{breaker=\"up@" + eastSite()
                            + "\",mode=\"observe\",upstream=\"up\"}"))
                    .isEqualTo(8);
        }
    }

    @Test
    void hostBasePathAndLocationAreThoseOfTheUrlThatIsUsed() {
        try (TestProxy proxy = TestProxy.start(policyOf(
                        "urls: ['http://" + eastSite() + "/v1', 'http://" + westSite() + "/v2']",
                        "circuit-breaker: {sliding-window-size: 2, minimum-number-of-calls: 2}",
                        "retry: {wait-duration: 1ms}"));
                RawClient client = proxy.connect()) {
            String redirect = "http://" + westSite() + "/v2/there";
            west.script(Scripts.status(302, "", "Location: " + redirect));
            east.down();

            RawResponse response = client.get("/up/here", "localhost:1234");

            assertThat(response.field("Location")).isEqualTo("http://localhost:1234/up/there");
            assertThat(west.awaitRequest().target()).isEqualTo("/v2/here");
            assertThat(west.awaitRequest().field("Host")).isEqualTo(westSite());
        }
    }

    @Test
    void attemptsAndConnectionsAreCountedByUrl() {
        try (TestProxy proxy = TestProxy.start(policy());
                RawClient client = proxy.connect()) {
            get(client);

            String ofEast = "{result=\"2xx\",site=\"" + eastSite() + "\",upstream=\"up\"}";
            await().until(() -> proxy.metric("resilience_proxy_site_attempts_total" + ofEast) == 1);
            assertThat(proxy.metric("resilience_proxy_site_attempts_total" + ofEast.replace(eastSite(), westSite())))
                    .isZero();
            assertThat(proxy.metric("resilience_proxy_site_connections{site=\"" + eastSite()
                            + "\",state=\"idle\",upstream=\"up\"}"))
                    .isEqualTo(1);
            assertThat(proxy.metric("resilience_proxy_pool_connections{state=\"idle\",upstream=\"up\"}"))
                    .isEqualTo(1);
            assertThat(proxy.metric(
                            "resilience_proxy_endpoints{site=\"" + westSite() + "\",state=\"in-use\",upstream=\"up\"}"))
                    .isEqualTo(1);
            assertThat(proxy.metric("resilience_proxy_pool_limit{upstream=\"up\"}"))
                    .isEqualTo(40);
        }
    }

    @Test
    void aReloadThatChangesTheOrderKeepsBreakersAndConnections() {
        String backwards = policyOf("urls: ['http://" + westSite() + "', 'http://" + eastSite() + "']");
        try (TestProxy proxy = TestProxy.start(policy());
                RawClient client = proxy.connect()) {
            assertThat(get(client)).isEqualTo("east");
            Breaker ofEast = proxy.upstream("up").breakers().get(0);

            proxy.reload(backwards);
            assertThat(get(client)).isEqualTo("west");
            assertThat(proxy.upstream("up").breakers().get(1)).isSameAs(ofEast);

            proxy.reload(policy());
            assertThat(get(client)).isEqualTo("east");
            assertThat(east.connections()).hasSize(1);
        }
    }

    @Test
    void aReloadToASingleUrlClosesThePoolOfTheOther() {
        try (TestProxy proxy = TestProxy.start(policy(FAST_BREAKER, "retry: {max-attempts: 1}"));
                RawClient client = proxy.connect()) {
            assertThat(get(client)).isEqualTo("east");

            proxy.reload(policyOf("url: 'http://" + westSite() + "'"));

            assertThat(get(client)).isEqualTo("west");
            await().until(() -> east.openConnections() == 0);
            assertThat(proxy.metrics()).doesNotContain("site=\"" + eastSite() + "\",state");
        }
    }
}
