package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import eu.rekawek.toxiproxy.Proxy;
import eu.rekawek.toxiproxy.model.ToxicDirection;
import io.resilienceproxy.resilience.BreakerState;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.TestProxy;
import io.resilienceproxy.testkit.Toxiproxy;
import io.resilienceproxy.testkit.ToxiproxyExtension;
import io.resilienceproxy.time.Clock;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Drills with a real fault injector between the proxy and its upstream. */
@ExtendWith(ToxiproxyExtension.class)
class DrillsTest {

    private final ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
    private final ScriptedUpstream other = ScriptedUpstream.start(Scripts.ok());

    @AfterEach
    void stop() {
        upstream.close();
        other.close();
    }

    /** No status ever says that something is wrong: only the time does. */
    @Test
    void anUpstreamThatTurnsSlowOpensItsBreakerWhileAnotherStaysAsItWas(Toxiproxy toxiproxy) throws IOException {
        Proxy link = toxiproxy.before(upstream.port());
        link.toxics().latency("latency", ToxicDirection.DOWNSTREAM, 30);
        String yaml = """
                defaults:
                  timeouts: {connect: 1s, read: 10s, call: 20s}
                  circuit-breaker: {sliding-window-size: 10, minimum-number-of-calls: 10, slow-call-duration-threshold: 1s}
                upstreams:
                  slow: {url: 'http://127.0.0.1:%d'}
                  usual: {url: 'http://127.0.0.1:%d'}
                """.formatted(Toxiproxy.port(link), other.port());
        try (TestProxy proxy = TestProxy.start(yaml);
                RawClient client = proxy.connect()) {
            for (int i = 0; i < 10; i++) {
                assertThat(client.get("/slow/", "localhost").status()).isEqualTo(200);
            }
            assertThat(proxy.upstream("slow").breaker().state()).isEqualTo(BreakerState.CLOSED);

            link.toxics().get("latency").remove();
            link.toxics().latency("latency", ToxicDirection.DOWNSTREAM, 3000);
            try (Callers callers = Callers.of(proxy, 6).send("/slow/")) {
                for (int i = 0; i < 20; i++) {
                    long start = Clock.SYSTEM.nanoTime();
                    assertThat(client.get("/usual/", "localhost").status()).isEqualTo(200);
                    assertThat(Duration.ofNanos(Clock.SYSTEM.nanoTime() - start))
                            .isLessThan(Duration.ofSeconds(1));
                }
                callers.all().forEach(caller -> caller.patience(Duration.ofSeconds(20)));
                assertThat(callers.responses()).allMatch(response -> response.status() == 200);
            }

            assertThat(proxy.upstream("slow").breaker().state()).isEqualTo(BreakerState.OPEN);
            assertThat(Problem.of(client.get("/slow/", "localhost")).reason()).isEqualTo("circuit-open");
            assertThat(client.get("/usual/", "localhost").status()).isEqualTo(200);
            assertThat(proxy.metric("resilience_proxy_breaker_transitions_total{breaker=\"slow\",from=\"closed\","
                            + "to=\"open\",upstream=\"slow\"}"))
                    .isEqualTo(1);
        }
    }

    @Test
    void aResetIsUnknownToAWriterAndRetriedForAReader(Toxiproxy toxiproxy) throws IOException {
        Proxy link = toxiproxy.before(upstream.port());
        link.toxics().resetPeer("reset", ToxicDirection.DOWNSTREAM, 0);
        try (TestProxy proxy = TestProxy.of(Toxiproxy.port(link), "retry: {wait-duration: 1ms, max-attempts: 2}");
                RawClient client = proxy.connect()) {
            client.sendRequest("POST", "/up/", "localhost", "Content-Length: 2").send("{}");
            Problem write = Problem.of(client.readResponse("POST"));
            assertThat(write.response().status()).isEqualTo(502);
            assertThat(write.reason()).isEqualTo("reset");
            assertThat(write.outcome()).isEqualTo("unknown");
            assertThat(write.attempts()).isEqualTo(1);

            Problem read = Problem.of(client.get("/up/", "localhost"));
            assertThat(read.outcome()).isEqualTo("unknown");
            assertThat(read.attempts()).isEqualTo(2);
            assertThat(read.proxyStatus())
                    .isEqualTo("resilience-proxy; error=connection_terminated; attempts=2; next-hop=\"127.0.0.1:"
                            + Toxiproxy.port(link) + "\"");
            assertThat(proxy.metric(
                            "resilience_proxy_retries_total{reason=\"reset\",route=\"default\",upstream=\"up\"}"))
                    .isEqualTo(1);
        }
    }

    /** The reader's retry is worth something: the fault goes away under it. */
    @Test
    void aReaderNeverHearsOfAResetThatPasses(Toxiproxy toxiproxy) throws IOException {
        upstream.script(Scripts.first(1, Scripts.reset(), Scripts.ok()));
        Proxy link = toxiproxy.before(upstream.port());
        try (TestProxy proxy = TestProxy.of(Toxiproxy.port(link), "retry: {wait-duration: 1ms}");
                RawClient client = proxy.connect()) {
            RawResponse response = client.get("/up/", "localhost");

            assertThat(response.status()).isEqualTo(200);
            assertThat(response.field("Proxy-Status"))
                    .isEqualTo("resilience-proxy; attempts=2; next-hop=\"127.0.0.1:" + Toxiproxy.port(link) + "\"");
        }
    }

    @Test
    void anUpstreamThatIsDownIsNotSentAnything(Toxiproxy toxiproxy) throws IOException {
        Proxy link = toxiproxy.before(upstream.port());
        try (TestProxy proxy = TestProxy.of(Toxiproxy.port(link), "retry: {wait-duration: 1ms}");
                RawClient client = proxy.connect()) {
            link.disable();
            client.sendRequest("POST", "/up/", "localhost", "Content-Length: 2").send("{}");
            Problem problem = Problem.of(client.readResponse("POST"));

            assertThat(problem.response().status()).isEqualTo(502);
            assertThat(problem.reason()).isEqualTo("connection-refused");
            assertThat(problem.outcome()).isEqualTo("not-sent");
            assertThat(problem.attempts()).isEqualTo(3);
            assertThat(upstream.requests()).isEmpty();

            link.enable();
            assertThat(client.get("/up/", "localhost").status()).isEqualTo(200);
        }
    }
}
