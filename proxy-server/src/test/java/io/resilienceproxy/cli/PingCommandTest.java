package io.resilienceproxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.admin.AdminPage;
import io.resilienceproxy.admin.AdminServer;
import io.resilienceproxy.policy.Shutdown;
import io.resilienceproxy.testkit.FreePort;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.TestProxy;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PingCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void aReadyProxyIsExitCodeZero() {
        try (TestProxy proxy = TestProxy.of(1)) {
            assertThat(ping("127.0.0.1:" + proxy.adminPort())).isZero();
            assertThat(out.toString()).isEqualToNormalizingNewlines("127.0.0.1:" + proxy.adminPort() + ": ready\n");
            assertThat(err.toString()).isEmpty();
        }
    }

    @Test
    void oneThatDrainsIsExitCodeOneAndSaysSo() {
        try (TestProxy proxy = TestProxy.of(1)) {
            proxy.proxy().drain(new Shutdown(Duration.ZERO, Duration.ZERO), () -> StopRequests.Haste.AT_ONCE);

            assertThat(ping("localhost:" + proxy.adminPort())).isOne();
            assertThat(err.toString())
                    .isEqualToNormalizingNewlines(
                            "resilience-proxy: localhost:" + proxy.adminPort() + ": not ready: draining\n");
        }
    }

    @Test
    void asksAgainForAsLongAsItIsTold() throws Exception {
        int port = FreePort.find();
        CompletableFuture<Integer> ping =
                CompletableFuture.supplyAsync(() -> ping("127.0.0.1:" + port, "--wait", "30s"));
        assertThat(ping).isNotDone();
        AdminServer admin = new AdminServer(Map.of("/readyz", accept -> AdminPage.text(200, "ready")));
        admin.start("127.0.0.1", port);
        try {
            assertThat(ping.get(20, TimeUnit.SECONDS)).isZero();
        } finally {
            admin.stop();
        }
    }

    @Test
    void nobodyIsExitCodeOne() {
        assertThat(ping("127.0.0.1:" + FreePort.find())).isOne();
        assertThat(err.toString()).contains("refused");
    }

    @Test
    void aListenerThatSaysNothingIsNotWaitedForLong() {
        try (ScriptedUpstream other = ScriptedUpstream.start(Scripts.silent())) {
            assertThat(ping("127.0.0.1:" + other.port())).isOne();
            assertThat(err.toString()).contains("no answer within 2 s");
        }
    }

    @Test
    void somethingElseThatAnswersIsNotReady() {
        try (ScriptedUpstream other = ScriptedUpstream.start((request, reply) ->
                reply.respond(200, "ok", "Connection: close").close())) {
            assertThat(ping("127.0.0.1:" + other.port())).isOne();
            assertThat(err.toString()).contains("not one of a proxy's admin listener");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"9480", "127.0.0.1", "127.0.0.1:99999", "::1:9480", "a b:1", ""})
    void anAddressThatIsNoneIsAUsageError(String admin) {
        assertThat(ping(admin)).isEqualTo(2);
        assertThat(err.toString()).contains("expected: host:port");
    }

    @Test
    void aTimeThatIsNoneIsAUsageError() {
        assertThat(ping("127.0.0.1:1", "--wait", "1m")).isEqualTo(2);
        assertThat(err.toString()).contains("--wait: 1m (expected: seconds, such as 30s)");
    }

    private int ping(String admin, String... options) {
        List<String> arguments = new ArrayList<>(List.of("ping", "--admin", admin));
        arguments.addAll(List.of(options));
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments.toArray(String[]::new));
    }
}
