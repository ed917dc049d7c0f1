package io.resilienceproxy.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.testkit.FreePort;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.Requirement;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.ServerTls;
import io.resilienceproxy.testkit.TestAuthority;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The image's root file system, built by its own scripts and run as a container runtime would: read-only, as a user of no
 * rights. Only the base image of the builder and the packing into layers are Docker's and not seen here.
 */
class ImageIT {

    private static final String HOME = "/opt/resilience-proxy";
    private static final List<String> PROGRAM =
            List.of(HOME + "/java/bin/java", "@" + HOME + "/jvm.options", "-jar", HOME + "/resilience-proxy.jar");

    @TempDir
    private static Path directory;

    private static Path root;
    private static Path contained;

    @BeforeAll
    static void build() throws IOException {
        String jdk = System.getenv("JAVA_25_HOME");
        if (jdk == null) {
            throw Requirement.missing("JAVA_25_HOME does not name a JDK 25, which the image is built with");
        }
        if (Run.of("unshare", "--mount", "true").exitCode() != 0) {
            throw Requirement.missing("unshare --mount is not allowed here: run as root");
        }
        root = directory.resolve("root");
        contained = directory.resolve("contained.sh");
        try (var script = ImageIT.class.getResourceAsStream("/deploy/contained.sh")) {
            Files.write(contained, Objects.requireNonNull(script).readAllBytes());
        }
        Run.of(
                        Map.of("JAVA_HOME", jdk),
                        "docker/rootfs.sh",
                        "proxy-server/target/resilience-proxy.jar",
                        root.toString())
                .orFail();
        // A container runtime lays it there.
        Files.writeString(root.resolve("etc/resolv.conf"), "nameserver 127.0.0.1\n");
    }

    @Test
    void theCacheOfClassesFitsAndNothingNeedsAShell() {
        assertThat(containedWith("-XX:AOTMode=on", "--version").orFail().output())
                .startsWith("resilience-proxy ");
        assertThat(root.resolve("bin")).doesNotExist();
        assertThat(root.resolve("usr")).doesNotExist();
    }

    @Test
    void itServesAnswersItsHealthCheckAndStops() throws Exception {
        int port = FreePort.find();
        int adminPort = FreePort.find();
        Path log = directory.resolve("log");
        TestAuthority authority = TestAuthority.create();
        String ca = authority
                .writeRoot(root.resolve("etc/resilience-proxy"))
                .getFileName()
                .toString();
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                ScriptedUpstream safe =
                        ScriptedUpstream.start(ServerTls.of(authority.server("127.0.0.1")), Scripts.ok())) {
            Files.writeString(root.resolve("etc/resilience-proxy/policy.yaml"), """
                    listen: {port: %d}
                    admin: {port: %d}
                    shutdown: {quiet-period: 200ms}
                    upstreams:
                      up: {url: "http://127.0.0.1:%d"}
                      safe: {url: "https://127.0.0.1:%d", tls: {ca-file: /etc/resilience-proxy/%s}}
                    """.formatted(
                            port, adminPort, upstream.port(), safe.port(), ca));
            String[] ping = {"ping", "--admin", "127.0.0.1:" + adminPort};
            assertThat(contained(ping).exitCode()).isOne();
            Process proxy = new ProcessBuilder(command("run", "--config", "/etc/resilience-proxy/policy.yaml"))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            try {
                Awaitility.await()
                        .atMost(Duration.ofSeconds(30))
                        .until(() -> !proxy.isAlive() || Files.readString(log).contains("serving"));
                assertThat(contained(ping).orFail().output()).endsWith(": ready\n");
                try (RawClient client = RawClient.connect(port)) {
                    assertThat(client.get("/up/", "a").bodyText()).isEqualTo("ok");
                    assertThat(client.get("/safe/", "a").bodyText()).isEqualTo("ok");
                }
                assertThat(Files.readString(Path.of("/proc/" + proxy.pid() + "/maps")))
                        .as("native parts, from the image and not unpacked")
                        .contains("/resilience-proxy/lib/libnetty_transport_native_epoll")
                        .contains("/resilience-proxy/lib/libnetty_tcnative");
                assertThat(Files.readString(Path.of("/proc/" + proxy.pid() + "/status")))
                        .containsPattern("Uid:\\s+65532\\s+65532");
                proxy.destroy();
                assertThat(proxy.waitFor(10, TimeUnit.SECONDS)).isTrue();
                assertThat(Files.readString(log)).contains("stopped quiet=true");
                // On a machine that is very busy the warm-up gives up.
                assertThat(Files.readAllLines(log).stream().filter(line -> !line.contains(" WarmUp ")))
                        .noneMatch(line -> line.contains(" WARN ") || line.contains(" ERROR "));
                assertThat(proxy.exitValue()).isZero();
            } finally {
                proxy.destroyForcibly();
            }
        }
    }

    /** What Docker is told names what the scripts made. */
    @Test
    void theDockerfileStartsWhatTheScriptsBuild() throws IOException {
        String dockerfile = Files.readString(Run.ROOT.resolve("docker/Dockerfile"), StandardCharsets.UTF_8);

        String words = String.join("\", \"", PROGRAM);
        assertThat(dockerfile)
                .contains("ENTRYPOINT [\"" + words + "\"]")
                .contains("CMD [\"" + words + "\", \"ping\"]")
                .contains("FROM scratch")
                .contains("USER 65532:65532");
        assertThat(root.resolve("etc/passwd")).content().contains(":65532:65532:");
    }

    private static Run contained(String... arguments) {
        return Run.of(command(arguments).toArray(String[]::new));
    }

    /** @param option of the virtual machine */
    private static Run containedWith(String option, String... arguments) {
        List<String> command = command(arguments);
        command.add(command.indexOf("-jar"), option);
        return Run.of(command.toArray(String[]::new));
    }

    private static List<String> command(String... arguments) {
        List<String> command =
                new ArrayList<>(List.of("unshare", "--mount", "sh", contained.toString(), root.toString()));
        command.addAll(PROGRAM);
        command.addAll(List.of(arguments));
        return command;
    }
}
