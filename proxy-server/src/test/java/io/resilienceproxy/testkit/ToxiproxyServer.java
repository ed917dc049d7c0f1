package io.resilienceproxy.testkit;

import static org.awaitility.Awaitility.await;

import eu.rekawek.toxiproxy.ToxiproxyClient;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * Where a Toxiproxy server comes from: the one that {@code TOXIPROXY_ADDRESS} names, else a program that is installed,
 * else one that Go builds into the user's cache once, else a container. What was started here is stopped by
 * {@link #close}.
 */
final class ToxiproxyServer implements AutoCloseable {

    private static final String VERSION = "2.12.0";
    private static final String GO_PACKAGE = "github.com/Shopify/toxiproxy/v2/cmd/server@v" + VERSION;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration BUILD_PATIENCE = Duration.ofMinutes(5);

    private final ToxiproxyClient client;
    private final Runnable stop;

    private ToxiproxyServer(String host, int port, Runnable stop) {
        client = new ToxiproxyClient(host, port);
        this.stop = stop;
    }

    /** @throws org.opentest4j.TestAbortedException where there is none and this is not CI */
    static ToxiproxyServer find() {
        String address = System.getenv("TOXIPROXY_ADDRESS");
        if (address != null) {
            int colon = address.lastIndexOf(':');
            return new ToxiproxyServer(
                    address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)), () -> {});
        }
        return installed()
                .or(ToxiproxyServer::built)
                .map(ToxiproxyServer::startProgram)
                .or(ToxiproxyServer::startContainer)
                .orElseThrow(() -> Requirement.missing("toxiproxy-server not found: put it on the PATH, or install Go"
                        + " or Docker, or set TOXIPROXY_ADDRESS=host:port of a running one"));
    }

    ToxiproxyClient client() {
        return client;
    }

    @Override
    public void close() {
        stop.run();
    }

    private static Optional<Path> installed() {
        Path goBin = Path.of(System.getenv().getOrDefault("GOBIN", System.getProperty("user.home") + "/go/bin"));
        return Requirement.find("toxiproxy-server", goBin);
    }

    /** Go names the program after its directory: {@code server}. */
    private static Optional<Path> built() {
        Path directory = cache().resolve("toxiproxy-" + VERSION);
        Path program = directory.resolve("server");
        if (Files.isExecutable(program)) {
            return Optional.of(program);
        }
        return Requirement.find("go", Path.of("/usr/local/go/bin"))
                .filter(go -> install(go, directory))
                .map(go -> program);
    }

    private static boolean install(Path go, Path directory) {
        try {
            Files.createDirectories(directory);
            ProcessBuilder builder = new ProcessBuilder(go.toString(), "install", GO_PACKAGE).redirectErrorStream(true);
            builder.redirectOutput(directory.resolve("install.log").toFile());
            builder.environment().put("GOBIN", directory.toString());
            Process process = builder.start();
            if (!process.waitFor(BUILD_PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return false;
            }
            return process.exitValue() == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static Path cache() {
        String xdg = System.getenv("XDG_CACHE_HOME");
        Path caches = xdg != null ? Path.of(xdg) : Path.of(System.getProperty("user.home"), ".cache");
        return caches.resolve("resilience-proxy");
    }

    private static ToxiproxyServer startProgram(Path program) {
        int port = FreePort.find();
        try {
            File log = File.createTempFile("toxiproxy", ".log");
            log.deleteOnExit();
            Process process = new ProcessBuilder(
                            program.toString(), "-host", "127.0.0.1", "-port", Integer.toString(port))
                    .redirectErrorStream(true)
                    .redirectOutput(log)
                    .start();
            ToxiproxyServer server = new ToxiproxyServer("127.0.0.1", port, process::destroy);
            server.awaitAnswer();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** On the host's network, so that links listen and forward on its loopback interface like a local program's. */
    private static Optional<ToxiproxyServer> startContainer() {
        if (Requirement.find("docker").isEmpty()
                || !DockerClientFactory.instance().isDockerAvailable()) {
            return Optional.empty();
        }
        int port = FreePort.find();
        GenericContainer<?> container = new GenericContainer<>(
                        DockerImageName.parse("ghcr.io/shopify/toxiproxy:" + VERSION))
                .withNetworkMode("host")
                .withCommand("-host", "127.0.0.1", "-port", Integer.toString(port));
        container.start();
        ToxiproxyServer server = new ToxiproxyServer("127.0.0.1", port, container::stop);
        server.awaitAnswer();
        return Optional.of(server);
    }

    private void awaitAnswer() {
        await().atMost(PATIENCE).ignoreExceptions().until(() -> client.version() != null);
    }
}
