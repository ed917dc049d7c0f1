package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.resilienceproxy.pool.ConnectionPool;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.TestProxy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Connections that are open before a request needs one. */
class MinIdleTest {

    private static void awaitIdle(TestProxy proxy, int count) {
        await().pollInterval(Duration.ofMillis(20))
                .until(() -> proxy.proxy().server().pools().stream()
                                .mapToInt(ConnectionPool::idle)
                                .sum()
                        == count);
    }

    private static int get(RawClient client) {
        return client.get("/up/", "localhost").status();
    }

    @Test
    void theFirstRequestFindsAConnectionThatIsOpen() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = TestProxy.of(upstream.port(), "pool: {min-idle: 3}");
                RawClient client = proxy.connect()) {
            awaitIdle(proxy, 3);
            assertThat(upstream.connections()).hasSize(3);

            assertThat(get(client)).isEqualTo(200);

            assertThat(upstream.connections().subList(0, 3).stream()
                            .mapToInt(connection -> connection.requests().size())
                            .sum())
                    .isEqualTo(1);
        }
    }

    @Test
    void itIsSpreadOverTheLoopsAndKeptUnderLoad() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = TestProxy.start("threads: 2\nupstreams:\n  up: {url: 'http://127.0.0.1:"
                        + upstream.port() + "', pool: {min-idle: 3, max-connections: 6}}\n");
                Callers callers = Callers.of(proxy, 4)) {
            awaitIdle(proxy, 3);
            for (int i = 0; i < 5; i++) {
                callers.send("/up/")
                        .responses()
                        .forEach(response -> assertThat(response.status()).isEqualTo(200));
            }

            assertThat(upstream.openConnections()).isBetween(3, 6);
        }
    }

    @Test
    void whatTheUpstreamClosesIsReplaced() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = TestProxy.of(upstream.port(), "pool: {min-idle: 2}")) {
            awaitIdle(proxy, 2);
            upstream.closeConnections();

            await().until(() -> upstream.connections().size() == 4);
            awaitIdle(proxy, 2);
        }
    }

    /** They are not kept for ever: what lies between may forget a connection that is silent. */
    @Test
    void idleTimeoutAndLifetimeReplaceThemAndDoNotShrinkTheirNumber() {
        for (String limit : new String[] {"idle-timeout: 200ms", "max-lifetime: 200ms"}) {
            try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                    TestProxy proxy = TestProxy.of(upstream.port(), "pool: {min-idle: 2, " + limit + "}")) {
                await().until(() -> upstream.connections().size() >= 6);
                awaitIdle(proxy, 2);
                assertThat(upstream.openConnections()).isBetween(1, 3);
            }
        }
    }

    /** The breaker hears of calls, and this is none. */
    @Test
    void whatCannotBeOpenedIsTriedAgainAndToldToNoBreaker() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = downFirst(upstream)) {
            assertThat(proxy.upstream("up").breaker().delegate().getMetrics().getNumberOfBufferedCalls())
                    .isZero();

            upstream.up();

            awaitIdle(proxy, 2);
            assertThat(proxy.upstream("up").breaker().delegate().getMetrics().getNumberOfBufferedCalls())
                    .isZero();
        }
    }

    private static TestProxy downFirst(ScriptedUpstream upstream) {
        upstream.down();
        return TestProxy.of(upstream.port(), "pool: {min-idle: 2}");
    }

    @Test
    void aReloadThatAsksForThemOpensThem() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = TestProxy.of(upstream.port())) {
            assertThat(upstream.connections()).isEmpty();

            proxy.reload("upstreams: {up: {url: 'http://127.0.0.1:" + upstream.port() + "', pool: {min-idle: 2}}}\n");

            awaitIdle(proxy, 2);
        }
    }

    /** An upstream that hangs up at once is not called in a circle. */
    @Test
    void anUpstreamThatEndsThemAtOnceIsAskedBehindAPause() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = TestProxy.of(upstream.port(), "pool: {min-idle: 1}")) {
            awaitIdle(proxy, 1);
            long start = System.nanoTime();
            await().pollInterval(Duration.ofMillis(5)).until(() -> {
                upstream.closeConnections();
                return System.nanoTime() - start > Duration.ofMillis(1500).toNanos();
            });

            assertThat(upstream.connections().size()).isLessThan(8);
        }
    }
}
