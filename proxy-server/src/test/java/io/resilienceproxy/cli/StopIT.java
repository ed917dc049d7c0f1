package io.resilienceproxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.testkit.FreePort;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged program, told to stop by signals. What callers see meanwhile is {@code DrainTest}'s. */
class StopIT {

    @TempDir
    private Path directory;

    /** The order in which the kubelet ends a Job's pod: the sidecar is told only when the main container has exited. */
    @Test
    void aJobCompletesWithinTheQuietPeriodAndASecond() throws Exception {
        int port = FreePort.find();
        int adminPort = FreePort.find();
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                Pod pod = Pod.start(directory, policy(port, adminPort, upstream.port(), "1s"), adminPort)) {
            int exitCode = pod.runMain("curl -fsS -o /dev/null http://127.0.0.1:" + port + "/up/last-call");
            assertThat(exitCode).isZero();

            long told = System.nanoTime();
            assertThat(pod.stop()).isZero();
            assertThat(System.nanoTime() - told).isLessThan(Pod.inTimeNanos(Duration.ofSeconds(1)));
            assertThat(upstream.requests()).hasSize(1);
            assertThat(pod.log()).contains("stopped quiet=true");
        }
    }

    @Test
    void aSecondSigtermHastens() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                ProxyProcess proxy = ProxyProcess.start(
                        directory,
                        "run",
                        "-c",
                        policy(0, 0, upstream.port(), "10m").toString())) {
            proxy.awaitOutput("serving");
            proxy.terminate().awaitOutput("draining");
            assertThat(proxy.exits(Duration.ofMillis(300))).isFalse();

            assertThat(proxy.terminate().awaitExit()).isZero();
            assertThat(proxy.out()).contains("stopped quiet=true");
        }
    }

    /** The policy file is a pipe, so that the start is held up for as long as the test likes. */
    @Test
    void aSigtermBeforeItServesIsExitCodeZero() throws Exception {
        Path pipe = directory.resolve("policy.yaml");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        try (ProxyProcess proxy = ProxyProcess.start(directory, "run", "-c", pipe.toString())) {
            try (OutputStream out = Files.newOutputStream(pipe)) {
                proxy.terminate();
                assertThat(proxy.exits(Duration.ofMillis(300))).isFalse();
                out.write(Files.readAllBytes(policy(0, 0, 1, "1s")));
            }
            assertThat(proxy.awaitExit()).isZero();
            assertThat(proxy.out()).contains("stopped before it served").doesNotContain("serving listen");
        }
    }

    private Path policy(int port, int adminPort, int upstreamPort, String quietPeriod) throws Exception {
        return Files.writeString(
                directory.resolve("regular.yaml"), """
                listen: {port: %d}
                admin: {port: %d}
                shutdown: {quiet-period: %s, timeout: 10m}
                upstreams: {up: {url: "http://127.0.0.1:%d"}}
                """.formatted(port, adminPort, quietPeriod, upstreamPort));
    }
}
