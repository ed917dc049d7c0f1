package io.resilienceproxy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.resilienceproxy.config.PolicyLoader;
import io.resilienceproxy.config.PolicySource;
import io.resilienceproxy.policy.Policy;
import io.resilienceproxy.testkit.ConfigVolume;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.time.Clock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The file, the watcher and the proxy together. */
class WatchedFileTest {

    /** The promise is two seconds; a busy machine may take its time to run anything. */
    private static final Duration SOON = Duration.ofSeconds(10);

    private static final String HEAD = "listen: {port: 0}\nadmin: {port: 0}\nupstreams:\n";

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger log = (Logger) LoggerFactory.getLogger(PolicyStatus.class);
    private Proxy proxy;
    private ScheduledExecutorService watching;

    @TempDir
    private Path directory;

    @BeforeEach
    void listen() {
        lines.start();
        log.addAppender(lines);
    }

    @AfterEach
    void stop() {
        log.detachAppender(lines);
        watching.shutdownNow();
        proxy.close();
    }

    @Test
    void followsTheKubelet() throws IOException {
        ConfigVolume volume = new ConfigVolume(directory, step -> {});
        volume.write(Map.of("policy.yaml", policy("a")));
        start(volume.file("policy.yaml"));
        volume.write(Map.of("policy.yaml", policy("a", "b")));
        awaitUpstreams("a", "b");
        volume.write(Map.of("policy.yaml", policy("a", "c")));
        volume.write(Map.of("policy.yaml", policy("a", "d")));
        awaitUpstreams("a", "d");
        assertThat(metrics()).contains("config_loads_total{result=\"failure\"} 0.0");
    }

    @Test
    void aBadFileChangesNothingAndIsShownUntilAGoodOneComes() throws IOException {
        Path file = Files.writeString(directory.resolve("policy.yaml"), policy("a"));
        start(file);
        String original = PolicySource.read(file).hash();
        Policy before = proxy.policy();
        Files.writeString(file, policy("a") + "    tiemouts: {}\n    retry: {max-attempts: 9}\n");
        await().atMost(SOON).until(() -> metrics().contains("config_last_load_successful 0.0"));
        assertThat(proxy.policy()).isSameAs(before);
        assertThat(metrics())
                .contains("config_findings{severity=\"error\"} 2.0")
                .contains("config_loads_total{result=\"failure\"} 1.0")
                .contains("config_policy{hash=\"" + original + "\"} 1");
        assertThat(admin("/config"))
                .contains("in use: hash " + original)
                .contains("refused: hash")
                .contains("tiemouts")
                .contains("max-attempts");
        assertThat(lines.list).hasSize(1);
        assertThat(lines.list.get(0).getLevel()).isEqualTo(Level.ERROR);
        assertThat(lines.list.get(0).getFormattedMessage())
                .contains("in_use=" + original)
                .contains("tiemouts")
                .contains("max-attempts");

        Files.writeString(file, policy("a"));
        await().atMost(SOON).until(() -> metrics().contains("config_last_load_successful 1.0"));
        assertThat(admin("/config")).contains("in use: hash " + original).doesNotContain("refused");
    }

    @Test
    void anEmptyFileAndNoFileTakeNothingAway() throws IOException {
        Path file = Files.writeString(directory.resolve("policy.yaml"), policy("a"));
        start(file);
        Files.writeString(file, "");
        await().atMost(SOON).until(() -> metrics().contains("config_loads_total{result=\"failure\"} 1.0"));
        Files.delete(file);
        await().atMost(SOON).until(() -> metrics().contains("config_loads_total{result=\"failure\"} 2.0"));
        assertThat(upstreams()).containsExactly("a");
        Files.writeString(file, policy("b"));
        awaitUpstreams("b");
    }

    @Test
    void aBusyPortIsAProblemThatNamesItAndPasses() throws IOException {
        Path file = Files.writeString(directory.resolve("policy.yaml"), policy("a"));
        start(file);
        int sharedPort = proxy.server().port();
        try (ServerSocket holder = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            Files.writeString(file, policy("b") + "    listen-port: " + holder.getLocalPort() + "\n");
            await().atMost(SOON).until(() -> metrics().contains("config_last_load_successful 0.0"));
            assertThat(admin("/config")).contains("cannot listen on 127.0.0.1:" + holder.getLocalPort());
            assertThat(upstreams()).containsExactly("a");
            try (RawClient client = RawClient.connect(sharedPort)) {
                assertThat(client.get("/a/x", "localhost").status()).isEqualTo(502);
            }
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> upstreams().contains("b"));
        assertThat(proxy.server().port()).isEqualTo(sharedPort);
    }

    private void start(Path file) throws IOException {
        PolicyLoader loader = new PolicyLoader(name -> null);
        PolicySource source = PolicySource.read(file);
        Policy policy = Objects.requireNonNull(loader.load(source).policy());
        proxy = Proxy.start(policy, source.hash(), List.of(), Clock.SYSTEM);
        watching = RunCommand.watch(source, new PolicyReloads(loader, proxy));
    }

    /** Upstreams that refuse every connection. */
    private static String policy(String... upstreams) {
        StringBuilder text = new StringBuilder(HEAD);
        for (String name : upstreams) {
            text.append("  ").append(name).append(":\n    url: http://127.0.0.1:1\n");
        }
        return text.toString();
    }

    private void awaitUpstreams(String... names) {
        await().atMost(SOON).until(() -> upstreams().equals(List.of(names)));
    }

    private List<String> upstreams() {
        return PolicyReloads.names(proxy.policy());
    }

    private String metrics() {
        return admin("/metrics");
    }

    private String admin(String path) {
        try {
            URI uri = URI.create("http://127.0.0.1:" + proxy.adminPort() + path);
            return HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                    .body();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
