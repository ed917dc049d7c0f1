package io.resilienceproxy.testkit;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A real nginx with one worker on a loopback port, so that the proxy is also held against somebody else's HTTP.
 *
 * <p>{@code /} answers 200 with 133 bytes, {@code /64k} with 65536, {@code /drip} with 65536 slowly, {@code /503} with
 * 503, {@code /gone} closes without an answer, {@code /status} is stub_status.
 */
public final class Nginx implements AutoCloseable {

    /** The body of {@code /}. */
    public static final String BODY = "x".repeat(133);

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String CONFIG = """
            %s
            worker_processes 1;
            daemon off;
            pid %2$s/nginx.pid;
            error_log stderr warn;
            events { worker_connections 1024; }
            http {
              access_log off;
              client_body_temp_path %2$s/client;
              proxy_temp_path %2$s/proxy;
              fastcgi_temp_path %2$s/fastcgi;
              uwsgi_temp_path %2$s/uwsgi;
              scgi_temp_path %2$s/scgi;
              keepalive_requests 1000000;
              server {
                listen 127.0.0.1:%3$d;
                root %2$s;
                %4$s
                location / { default_type text/plain; return 200 "%5$s"; }
                location = /64k { try_files /64k =404; }
                location = /drip { try_files /64k =404; limit_rate 16k; }
                location = /503 { return 503; }
                location = /gone { return 444; }
                location = /status { stub_status; }
              }
            }
            """;

    private final Process process;
    private final Path directory;
    private final int port;

    private Nginx(Process process, Path directory, int port) {
        this.process = process;
        this.directory = directory;
        this.port = port;
    }

    /** Starts it with a keep-alive timeout of 75 s. */
    public static Nginx start(Path directory) {
        return start(directory, "keepalive_timeout 75s;");
    }

    /**
     * @param directory an empty one, for its configuration and temporary files
     * @param serverDirectives added to its server block, for example {@code keepalive_timeout 1s;}
     * @throws org.opentest4j.TestAbortedException where there is no nginx and this is not CI
     */
    public static Nginx start(Path directory, String serverDirectives) {
        Path program = Requirement.find("nginx", Path.of("/usr/sbin"))
                .orElseThrow(() -> Requirement.missing("nginx not found: apt-get install nginx-light"));
        int port = FreePort.find();
        boolean root = "root".equals(System.getProperty("user.name"));
        String config = CONFIG.formatted(root ? "user root;" : "", directory, port, serverDirectives, BODY);
        try {
            Files.writeString(directory.resolve("64k"), "x".repeat(65536));
            Path file = Files.writeString(directory.resolve("nginx.conf"), config);
            Process process = new ProcessBuilder(
                            program.toString(), "-p", directory.toString(), "-e", "stderr", "-c", file.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("nginx.log").toFile())
                    .start();
            Nginx nginx = new Nginx(process, directory, port);
            nginx.awaitAnswer();
            return nginx;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return port;
    }

    public String url() {
        return "http://127.0.0.1:" + port;
    }

    /** The connections that nginx has accepted so far, the one that asks included. */
    public int acceptedConnections() {
        try (RawClient client = RawClient.connect(port)) {
            String status = client.get("/status", "nginx").bodyText();
            return Integer.parseInt(
                    status.lines().skip(2).findFirst().orElseThrow().strip().split(" ")[0]);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitAnswer() {
        await().atMost(PATIENCE).until(() -> answers() || !process.isAlive());
        if (!process.isAlive()) {
            throw new AssertionError("nginx did not start: " + log());
        }
    }

    private boolean answers() {
        try (RawClient client = RawClient.connect(port)) {
            return client.get("/", "nginx").status() == 200;
        } catch (UncheckedIOException notYet) {
            return false;
        }
    }

    private String log() {
        try {
            return Files.readString(directory.resolve("nginx.log"));
        } catch (IOException e) {
            return e.toString();
        }
    }
}
