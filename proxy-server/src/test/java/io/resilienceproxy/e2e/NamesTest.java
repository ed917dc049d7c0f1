package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.resilienceproxy.dns.HostName;
import io.resilienceproxy.testkit.DnsServer;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.TestProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An upstream that is known by a name, whose answers change. */
class NamesTest {

    private static final String NAME = "pay.test";
    private static final int TTL = 1;

    private final DnsServer dns = DnsServer.start();

    @AfterEach
    void close() {
        dns.close();
    }

    private TestProxy proxyTo(int ttl, String address, int port, String... settings) {
        dns.answer(NAME, ttl, address);
        return proxyTo(port, settings);
    }

    private TestProxy proxyTo(int port, String... settings) {
        StringBuilder yaml = new StringBuilder("upstreams:\n  up:\n    url: http://" + NAME + ":" + port + "\n");
        for (String setting : settings) {
            yaml.append("    ").append(setting).append('\n');
        }
        return dns.use(() -> TestProxy.start(yaml.toString()));
    }

    private static ScriptedUpstream at(String address, int port) {
        return ScriptedUpstream.startAt(address, port, Scripts.status(200, address));
    }

    private static RawResponse get(RawClient client) {
        RawResponse response = client.get("/up/", "localhost");
        assertThat(response.status()).as("%s", response).isEqualTo(200);
        return response;
    }

    private static void pause(Duration duration) {
        long end = System.nanoTime() + duration.toNanos();
        await().pollDelay(duration).until(() -> System.nanoTime() - end >= 0);
    }

    /** Twenty requests a second, through the switch and for longer than a TTL; the old address works until nobody needs it. */
    @Test
    void steadyTrafficMovesToTheNewAddressInTimeAndWithoutAnError() {
        try (ScriptedUpstream old = at("127.0.0.2", 0);
                ScriptedUpstream moved = at("127.0.0.3", old.port());
                TestProxy proxy = proxyTo(TTL, "127.0.0.2", old.port());
                RawClient client = proxy.connect()) {
            for (int i = 0; i < 20; i++) {
                assertThat(get(client).bodyText()).isEqualTo("127.0.0.2");
                pause(Duration.ofMillis(50));
            }

            dns.answer(NAME, TTL, "127.0.0.3");
            long switched = System.nanoTime();
            List<String> answers = new ArrayList<>();
            while (System.nanoTime() - switched < Duration.ofSeconds(3).toNanos()) {
                answers.add(get(client).bodyText());
                pause(Duration.ofMillis(50));
            }

            assertThat(answers).contains("127.0.0.3");
            assertThat(answers.subList(answers.indexOf("127.0.0.3"), answers.size()))
                    .containsOnly("127.0.0.3");
            await().until(() -> old.openConnections() == 0);
            assertThat(moved.openConnections()).isEqualTo(1);
            old.down();
            old.resetConnections();
            for (int i = 0; i < 5; i++) {
                assertThat(get(client).bodyText()).isEqualTo("127.0.0.3");
            }
        }
    }

    /** A connection to an address that has gone is closed between two requests and never under one. */
    @Test
    void anAnswerUnderWayFromAnAddressThatIsGoneEndsWhole() {
        ScriptedUpstream.Script slowly = (request, reply) -> {
            reply.startChunked(200).chunk("first");
            reply.pause(Duration.ofMillis(2500));
            reply.chunk("last").endChunks();
        };
        try (ScriptedUpstream old =
                        ScriptedUpstream.startAt("127.0.0.2", 0, Scripts.first(1, slowly, Scripts.status(200, "old")));
                ScriptedUpstream moved = at("127.0.0.3", old.port());
                TestProxy proxy = proxyTo(TTL, "127.0.0.2", old.port(), "timeouts: {connect: 1s, read: 5s, call: 9s}");
                RawClient slow = proxy.connect();
                RawClient other = proxy.connect()) {
            slow.sendRequest("GET", "/up/", "localhost");
            old.awaitRequest();
            dns.answer(NAME, TTL, "127.0.0.3");
            await().pollInterval(Duration.ofMillis(50))
                    .until(() -> get(other).bodyText().equals("127.0.0.3"));

            RawResponse whole = slow.readResponse("GET");

            assertThat(whole.bodyText()).isEqualTo("firstlast");
            assertThat(moved.requests()).isNotEmpty();
            await().until(() -> old.openConnections() == 0);
        }
    }

    @Test
    void theLastGoodAnswerHoldsWhateverBecomesOfTheNameServer() {
        try (ScriptedUpstream upstream = at("127.0.0.2", 0);
                TestProxy proxy = proxyTo(TTL, "127.0.0.2", upstream.port(), "pool: {max-lifetime: 100ms}");
                RawClient client = proxy.connect()) {
            get(client);
            Runnable[] outages = {
                () -> dns.answer(NAME, TTL), dns::fail, dns::fallSilent,
            };
            for (Runnable outage : outages) {
                outage.run();
                int asked = dns.queries().size();
                await().pollInterval(Duration.ofMillis(100)).until(() -> {
                    get(client);
                    return dns.queries().size() > asked;
                });
                pause(Duration.ofMillis(150));
                get(client);
            }
            assertThat(upstream.connections()).hasSizeGreaterThan(3);
        }
    }

    @Test
    void aNameThatComesIntoBeingIsFoundWithinTheFirstPause() {
        try (ScriptedUpstream upstream = at("127.0.0.2", 0);
                TestProxy proxy = proxyTo(upstream.port(), "circuit-breaker: {minimum-number-of-calls: 50}");
                RawClient client = proxy.connect()) {
            Problem problem = Problem.of(client.get("/up/", "localhost"));
            assertThat(problem.reason()).isEqualTo("dns-error");
            assertThat(problem.outcome()).isEqualTo("not-sent");

            dns.answer(NAME, TTL, "127.0.0.2");

            await().atMost(HostName.FIRST_PAUSE.multipliedBy(4))
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> client.get("/up/", "localhost").status() == 200);
        }
    }

    /** B36: the look-up is part of connecting, and no attempt outlives its time. */
    @Test
    void aNameServerThatIsSilentCostsNoMoreThanTheConnectTimeout() {
        dns.fallSilent();
        try (TestProxy proxy =
                        proxyTo(9, "timeouts: {connect: 300ms, read: 2s, call: 4s}", "retry: {max-attempts: 1}");
                RawClient client = proxy.connect()) {
            long start = System.nanoTime();
            Problem problem = Problem.of(client.get("/up/", "localhost"));

            assertThat(problem.reason()).isEqualTo("dns-error");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
        }
    }

    @Test
    void theNameIsLookedUpOnceForAllThatNeedIt() {
        try (ScriptedUpstream upstream = at("127.0.0.2", 0);
                TestProxy proxy = proxyTo(300, "127.0.0.2", upstream.port());
                Callers callers = Callers.of(proxy, 10)) {
            callers.send("/up/")
                    .responses()
                    .forEach(response -> assertThat(response.status()).isEqualTo(200));

            assertThat(dns.queries()).containsExactlyInAnyOrder("A " + NAME, "AAAA " + NAME);
        }
    }
}
