package io.resilienceproxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.testkit.FreePort;
import io.resilienceproxy.testkit.RawClient;
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

    private static final Duration QUIET = Duration.ofSeconds(1);

    @TempDir
    private Path directory;

    /** The order in which the kubelet ends a Job's pod: the sidecar is told only when the main container has exited. */
    @Test
    void aJobCompletesWithinTheQuietPeriodAndASecond() throws Exception {
        int port = FreePort.find();
        int adminPort = FreePort.find();
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok())) {
            Path policy = policy(port, adminPort, upstream.port(), "1s");
            long best = Long.MAX_VALUE;
            // On a machine that is very busy a process may not get its turn for a second: three may try.
            for (int attempt = 0; attempt < 3 && best >= Pod.inTimeNanos(QUIET); attempt++) {
                Path home = Files.createDirectory(directory.resolve("pod-" + attempt));
                try (Pod pod = Pod.start(home, policy, adminPort)) {
                    assertThat(pod.runMain("curl -fsS -o /dev/null http://127.0.0.1:" + port + "/up/last-call"))
                            .isZero();
                    long told = System.nanoTime();
                    assertThat(pod.stop()).isZero();
                    best = Math.min(best, System.nanoTime() - told);
                    assertThat(pod.log()).contains("stopped quiet=true");
                }
            }
            assertThat(best).isLessThan(Pod.inTimeNanos(QUIET));
            assertThat(upstream.requests()).isNotEmpty();
        }
    }

    /** What a Job beside a plain container does at its end, where nobody sends a signal. */
    @Test
    void aPostFromThePodStopsItWhereThePolicyAllowsIt() throws Exception {
        int adminPort = FreePort.find();
        Path policy = policy(0, adminPort, 1, "100ms");
        Files.writeString(policy, Files.readString(policy).replace("admin: {", "admin: {quit: true, "));
        try (ProxyProcess proxy = ProxyProcess.start(directory, "run", "-c", policy.toString())) {
            proxy.awaitOutput("serving");
            try (RawClient client = RawClient.connect(adminPort)) {
                client.send("POST /quit HTTP/1.1\r\nHost: localhost:" + adminPort + "\r\nContent-Length: 0\r\n\r\n");
                assertThat(client.readFinalResponse("POST").status()).isEqualTo(202);
            }

            assertThat(proxy.awaitExit()).isZero();
            assertThat(proxy.out()).contains("admin: /quit").contains("stopped quiet=true");
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
