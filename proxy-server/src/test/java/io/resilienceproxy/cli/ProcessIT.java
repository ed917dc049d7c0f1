package io.resilienceproxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.testkit.FreePort;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged program as its users start and stop it. */
class ProcessIT {

    private static final Pattern CURL = Pattern.compile("(?m)^ {3}(curl .*)$");

    @TempDir
    private Path directory;

    @Test
    void runServesAndExitsWithZeroOnSigterm() throws Exception {
        int port = FreePort.find();
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                ProxyProcess proxy = run(port, upstream.port())) {
            proxy.awaitOutput("serving listen=127.0.0.1:" + port);
            try (RawClient client = RawClient.connect(port)) {
                assertThat(client.get("/up/", "localhost").status()).isEqualTo(200);
            }

            assertThat(proxy.terminate().awaitExit()).isZero();
            assertThat(proxy.out()).contains("draining").contains("stopped quiet=true");
            assertThat(proxy.err()).isEmpty();
        }
    }

    @Test
    void whatIsInFlightAtSigtermIsAnsweredAndItsConnectionClosed() throws Exception {
        int port = FreePort.find();
        try (DemoUpstream upstream = new DemoUpstream();
                ProxyProcess proxy = run(port, upstream.start())) {
            proxy.awaitOutput("serving");
            try (RawClient client = RawClient.connect(port)) {
                client.sendRequest("GET", "/up/?delay=1s", "localhost");
                Awaitility.await().until(() -> upstream.requests() == 1);
                proxy.terminate().awaitOutput("draining");

                RawResponse response = client.readFinalResponse("GET");
                assertThat(response.status()).isEqualTo(200);
                assertThat(response.field("Connection")).isEqualTo("close");
                assertThat(client.isClosedByPeer(Duration.ofSeconds(5))).isTrue();
            }

            assertThat(proxy.awaitExit()).isZero();
        }
    }

    @Test
    void aPolicyWithProblemsIsExitCodeOneAndNothingElse() throws Exception {
        Path policy = Files.writeString(directory.resolve("policy.yaml"), "upstreams: {up: {url: nonsense}}\n");
        try (ProxyProcess proxy = ProxyProcess.start(directory, "run", "-c", policy.toString())) {
            assertThat(proxy.awaitExit()).isOne();
            assertThat(proxy.err().lines()).hasSize(2);
            assertThat(proxy.out()).isEmpty();
        }
    }

    @Test
    void theDemosLinesRunInAShellAndItExitsWithZero() throws Exception {
        try (ProxyProcess demo = ProxyProcess.start(directory, "demo", "--port", "0", "--admin-port", "0")) {
            List<String> lines = CURL.matcher(demo.awaitOutput("/metrics"))
                    .results()
                    .map(match -> match.group(1))
                    .toList();

            assertThat(lines).hasSize(5);
            assertThat(shell(lines.get(0))).startsWith("HTTP/1.1 200 ");
            assertThat(shell(lines.get(1))).startsWith("HTTP/1.1 200 ").contains("attempts=2");
            assertThat(shell(lines.get(2)).lines().map(ProcessIT::kind))
                    .containsExactly("500", "500", "500", "circuit-open", "circuit-open");
            assertThat(shell(lines.get(3)).lines().map(ProcessIT::kind))
                    .containsExactlyInAnyOrder("200", "200", "bulkhead-full", "bulkhead-full", "bulkhead-full");
            assertThat(shell(lines.get(4))).startsWith("HTTP/1.1 504 ").contains("call-timeout");

            assertThat(demo.terminate().awaitExit()).isZero();
            assertThat(demo.err()).isEmpty();
        }
    }

    /** The reason of a problem document, the status of an answer of the demo upstream. */
    private static String kind(String body) {
        return body.replaceFirst("^.*\"reason\":\"([^\"]+)\".*$", "$1")
                .replaceFirst("^.*\"status\":([0-9]+),\"message\".*$", "$1");
    }

    private static String shell(String line) throws IOException {
        ProcessBuilder shell = new ProcessBuilder("sh", "-c", line).redirectErrorStream(true);
        shell.environment()
                .keySet()
                .removeIf(name -> name.toLowerCase(Locale.ROOT).endsWith("_proxy"));
        return new String(shell.start().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private ProxyProcess run(int port, int upstreamPort) throws IOException {
        Path policy = Files.writeString(directory.resolve("policy.yaml"), """
                listen: {port: %d}
                admin: {port: 0}
                upstreams: {up: {url: "http://127.0.0.1:%d"}}
                """.formatted(port, upstreamPort));
        return ProxyProcess.start(directory, "run", "--config", policy.toString());
    }
}
