package io.resilienceproxy.cli;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * Plays the kubelet for one pod with the proxy as a native sidecar: starts the sidecar, waits for its startup probe, runs the
 * main container, and when that has exited stops the sidecar: SIGTERM, and after the grace period SIGKILL.
 */
final class Pod implements AutoCloseable {

    private static final Duration GRACE = Duration.ofSeconds(10);

    private final ProxyProcess sidecar;
    private final int adminPort;

    private Pod(ProxyProcess sidecar, int adminPort) {
        this.sidecar = sidecar;
        this.adminPort = adminPort;
    }

    /** @param adminPort that the policy names */
    static Pod start(Path directory, Path policy, int adminPort) throws IOException {
        Pod pod = new Pod(ProxyProcess.start(directory, "run", "--config", policy.toString()), adminPort);
        Awaitility.await("the startup probe")
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(100))
                .until(pod::isReady);
        return pod;
    }

    private boolean isReady() throws InterruptedException {
        HttpRequest probe = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort + "/readyz"))
                .build();
        try {
            return HttpClient.newHttpClient()
                            .send(probe, BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Runs the main container to its end and returns its exit code. */
    int runMain(String script) throws IOException, InterruptedException {
        ProcessBuilder main = new ProcessBuilder(List.of("sh", "-c", script)).inheritIO();
        main.environment()
                .keySet()
                .removeIf(name -> name.toLowerCase(Locale.ROOT).endsWith("_proxy"));
        return main.start().waitFor();
    }

    /**
     * Stops the sidecar as the kubelet does.
     *
     * @return its exit code: 137 where it had to be killed
     */
    int stop() throws InterruptedException {
        sidecar.terminate();
        return sidecar.exits(GRACE) ? sidecar.awaitExit() : 137;
    }

    String log() {
        return sidecar.out();
    }

    @Override
    public void close() {
        sidecar.close();
    }

    /** How long stopping may take: the quiet period of the policy and a second. */
    static long inTimeNanos(Duration quietPeriod) {
        return quietPeriod.toNanos() + TimeUnit.SECONDS.toNanos(1);
    }
}
