package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.resilienceproxy.pool.Endpoint;
import io.resilienceproxy.testkit.DnsServer;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.TestProxy;
import io.resilienceproxy.testkit.UnansweredPort;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One name with several addresses: which one a request goes to, and what becomes of one that does not work. */
class EndpointsTest {

    private static final String RETRIES =
            "resilience_proxy_retries_total{reason=\"reset\",route=\"default\",upstream=\"up\"}";
    private static final String ONE_CALL = "retry: {max-attempts: 1}";

    private final DnsServer dns = DnsServer.start();

    @AfterEach
    void close() {
        dns.close();
    }

    private TestProxy proxyTo(int port, String addresses, String... settings) {
        dns.answer("pay.test", 300, addresses.split(" "));
        StringBuilder yaml = new StringBuilder("upstreams:\n  up:\n    url: http://pay.test:" + port + "\n");
        for (String setting : settings) {
            yaml.append("    ").append(setting).append('\n');
        }
        return dns.use(() -> TestProxy.start(yaml.toString()));
    }

    private static ScriptedUpstream at(String address, int port) {
        return ScriptedUpstream.startAt(address, port, Scripts.status(200, address));
    }

    private static List<RawResponse> get(RawClient client, int times) {
        List<RawResponse> responses = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            responses.add(client.get("/up/", "localhost"));
        }
        return responses;
    }

    @Test
    void allAddressesAreUsedOverOneConnectionEachWhenRequestsComeOneByOne() {
        try (ScriptedUpstream one = at("127.0.0.2", 0);
                ScriptedUpstream two = at("127.0.0.3", one.port());
                TestProxy proxy = proxyTo(one.port(), "127.0.0.2 127.0.0.3");
                RawClient client = proxy.connect()) {
            assertThat(get(client, 100)).allMatch(response -> response.status() == 200);

            assertThat(one.requests().size()).isBetween(20, 80);
            assertThat(two.requests().size()).isBetween(20, 80);
            assertThat(one.connections()).hasSize(1);
            assertThat(two.connections()).hasSize(1);
        }
    }

    @Test
    void whereOneOfTwoAddressesResetsEveryCallerIsAnsweredAllTheSame() {
        try (ScriptedUpstream bad = ScriptedUpstream.startAt("127.0.0.2", 0, Scripts.reset());
                ScriptedUpstream good = at("127.0.0.3", bad.port());
                TestProxy proxy = proxyTo(bad.port(), "127.0.0.2 127.0.0.3", "retry: {wait-duration: 1ms}");
                RawClient client = proxy.connect()) {
            assertThat(get(client, 100)).allMatch(response -> response.status() == 200);

            assertThat(good.requests()).hasSize(100);
            assertThat(proxy.metric(RETRIES)).isEqualTo(bad.requests().size()).isBetween(0.0, 10.0);
        }
    }

    /** The attempt that meets it goes on to the next address; nothing was sent, so it is a matter of the pool alone. */
    @Test
    void anAddressThatRefusesCostsNoRetry() {
        try (ScriptedUpstream gone = at("127.0.0.2", 0);
                ScriptedUpstream good = at("127.0.0.3", gone.port());
                TestProxy proxy = proxyTo(gone.port(), "127.0.0.2 127.0.0.3 127.0.0.4", ONE_CALL);
                RawClient client = proxy.connect()) {
            gone.down();

            assertThat(get(client, 50)).allMatch(response -> response.status() == 200);
            assertThat(good.requests()).hasSize(50);
        }
    }

    @Test
    void anAddressThatIsSilentCostsOneHeadStartAndIsPassedOverThen() {
        try (UnansweredPort silent = UnansweredPort.openAt("127.0.0.2", 0);
                ScriptedUpstream good = at("127.0.0.3", silent.port());
                TestProxy proxy = proxyTo(
                        silent.port(),
                        "127.0.0.2 127.0.0.3",
                        ONE_CALL,
                        "pool: {max-lifetime: 1ms}",
                        "timeouts: {connect: 3s, read: 4s, call: 8s}");
                RawClient client = proxy.connect()) {
            long start = System.nanoTime();

            assertThat(get(client, 60)).allMatch(response -> response.status() == 200);

            assertThat(good.requests()).hasSize(60);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
        }
    }

    /** B36 with three dead addresses. */
    @Test
    @SuppressWarnings("try")
    void severalSilentAddressesAreAnsweredForWithinTheDeadline() {
        try (UnansweredPort one = UnansweredPort.openAt("127.0.0.2", 0);
                UnansweredPort two = UnansweredPort.openAt("127.0.0.3", one.port());
                UnansweredPort three = UnansweredPort.openAt("127.0.0.4", one.port());
                TestProxy proxy = proxyTo(
                        one.port(),
                        "127.0.0.2 127.0.0.3 127.0.0.4",
                        "timeouts: {connect: 400ms, read: 1s, call: 2400ms}",
                        "deadline: {header: X-Request-Deadline-Ms, buffer: 10ms}",
                        "retry: {max-attempts: 5, wait-duration: 1ms}");
                RawClient client = proxy.connect()) {
            RawResponse response = client.get("/up/", "localhost", "X-Request-Deadline-Ms: 1000");

            assertThat(response.status()).isEqualTo(504);
            assertThat(Problem.of(response).reason()).isEqualTo("connect-timeout");
            // As the proxy measures it: this machine may be slow to tell the caller.
            String seconds = "resilience_proxy_request_duration_seconds_sum{outcome=\"not-sent\",route=\"default\","
                    + "status=\"5xx\",upstream=\"up\"}";
            assertThat(proxy.metric(seconds)).as("%s", response).isBetween(0.39, 1.9);
            assertThat(Problem.of(response).attempts()).isBetween(1, 2);
        }
    }

    @Test
    void anAddressThatWorksAgainIsUsedAgain() {
        try (ScriptedUpstream flaky = at("127.0.0.2", 0);
                ScriptedUpstream good = at("127.0.0.3", flaky.port());
                TestProxy proxy = proxyTo(flaky.port(), "127.0.0.2 127.0.0.3", "retry: {wait-duration: 1ms}");
                RawClient client = proxy.connect()) {
            flaky.down();
            flaky.resetConnections();
            assertThat(get(client, 20)).allMatch(response -> response.status() == 200);
            assertThat(flaky.requests()).isEmpty();
            assertThat(good.requests()).hasSize(20);

            flaky.up();

            await().atMost(Endpoint.SHORTEST_EJECTION.multipliedBy(10)).until(() -> {
                get(client, 1);
                return flaky.requests().size() > 3;
            });
        }
    }

    /** More addresses than places: what is idle is used, whatever address was picked. */
    @Test
    void aFullPoolUsesWhatIsIdle() {
        try (ScriptedUpstream one = at("127.0.0.2", 0);
                ScriptedUpstream two = at("127.0.0.3", one.port());
                ScriptedUpstream three = at("127.0.0.4", one.port());
                TestProxy proxy = proxyTo(
                        one.port(),
                        "127.0.0.2 127.0.0.3 127.0.0.4",
                        "pool: {max-connections: 1}",
                        "bulkhead: {max-concurrent-calls: 1}");
                RawClient client = proxy.connect()) {
            assertThat(get(client, 30)).allMatch(response -> response.status() == 200);

            assertThat(one.connections().size()
                            + two.connections().size()
                            + three.connections().size())
                    .isEqualTo(1);
        }
    }

    /** The only place is taken by an idle connection to the address that has just failed. */
    @Test
    void anotherAttemptGoesToAnotherAddressAlsoInAFullPool() {
        try (ScriptedUpstream one = ScriptedUpstream.startAt("127.0.0.2", 0, Scripts.status(503, "no"));
                ScriptedUpstream two = ScriptedUpstream.startAt("127.0.0.3", one.port(), Scripts.status(503, "no"));
                TestProxy proxy = proxyTo(
                        one.port(),
                        "127.0.0.2 127.0.0.3",
                        "pool: {max-connections: 1}",
                        "bulkhead: {max-concurrent-calls: 1}",
                        "retry: {wait-duration: 1ms, max-attempts: 2}");
                RawClient client = proxy.connect()) {
            assertThat(client.get("/up/", "localhost").status()).isEqualTo(503);

            assertThat(one.requests()).hasSize(1);
            assertThat(two.requests()).hasSize(1);
        }
    }
}
