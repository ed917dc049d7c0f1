package io.resilienceproxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.dns.NameService;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stands in the way of a start; how a process serves and stops is {@code ProcessIT}'s. */
class RunCommandTest {

    private static final String UPSTREAMS = "upstreams: {up: {url: http://127.0.0.1:1}}\n";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    @Test
    void aTakenPortIsOneLine() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();

            assertThat(run(policy("listen: {port: " + port + "}\nadmin: {port: 0}\n" + UPSTREAMS)))
                    .isOne();
            assertThat(err.toString())
                    .isEqualToNormalizingNewlines(
                            "resilience-proxy: cannot listen on 127.0.0.1:" + port + ": Address already in use\n");
        }
    }

    @Test
    void aTakenAdminPortIsOneLine() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();

            assertThat(run(policy("listen: {port: 0}\nadmin: {port: " + port + "}\n" + UPSTREAMS)))
                    .isOne();
            assertThat(err.toString().lines())
                    .singleElement()
                    .asString()
                    .startsWith("resilience-proxy: admin: cannot listen on 127.0.0.1:" + port)
                    .endsWith("ddress already in use");
        }
    }

    @Test
    void aSystemPropertyThatNamesNoServersIsOneLine() throws IOException {
        System.setProperty(NameService.SERVERS, "dns.test");
        try {
            assertThat(run(policy("listen: {port: 0}\nadmin: {port: 0}\n" + UPSTREAMS)))
                    .isOne();
            assertThat(err.toString())
                    .isEqualToNormalizingNewlines(
                            "resilience-proxy: system property resilience-proxy.dns.servers: dns.test"
                                    + " (expected: IP address and port, as in 10.0.0.2:53, several separated by commas)\n");
        } finally {
            System.clearProperty(NameService.SERVERS);
        }
    }

    @Test
    void aFileThatCannotBeReadIsSaidAndNamed() {
        Path absent = directory.resolve("absent.yaml");

        assertThat(run(absent)).isOne();
        assertThat(err.toString())
                .isEqualToNormalizingNewlines("resilience-proxy: the policy cannot be used:\n  " + absent
                        + ":1:1: cannot be read: there is no such file\n");
    }

    @Test
    void everyProblemOfAPolicyIsListed() throws IOException {
        Path file = policy("upstreams:\n  up:\n    url: nonsense\n    timeouts:\n      read: 10\n");

        assertThat(run(file)).isOne();
        assertThat(err.toString().lines())
                .hasSize(3)
                .startsWith("resilience-proxy: the policy cannot be used:")
                .anySatisfy(line -> assertThat(line).startsWith("  " + file + ":3:"))
                .anySatisfy(line -> assertThat(line).startsWith("  " + file + ":5:"));
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aMissingFileNameIsAUsageError() {
        assertThat(Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), "run"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--config");
    }

    private Path policy(String text) throws IOException {
        return Files.writeString(directory.resolve("policy.yaml"), text);
    }

    private int run(Path file) {
        PrintWriter outWriter = new PrintWriter(out, true);
        return Main.execute(outWriter, new PrintWriter(err, true), "run", "--config", file.toString());
    }
}
