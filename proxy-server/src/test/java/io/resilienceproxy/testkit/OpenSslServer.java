package io.resilienceproxy.testkit;

import static org.awaitility.Awaitility.await;

import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * {@code openssl s_server -www}: answers each request with a page about its TLS, which names the version and whether the
 * session was resumed, and ends the connection behind it.
 */
public final class OpenSslServer implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Process process;
    private final int port;

    private OpenSslServer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * @param directory for its files
     * @param arguments more of its own, such as {@code -tls1_2}
     */
    public static OpenSslServer start(Path directory, X509Bundle certificate, String... arguments) {
        int port = FreePort.find();
        List<String> command = OpenSsl.command(
                "s_server",
                "-www",
                "-accept",
                "127.0.0.1:" + port,
                "-cert",
                TestAuthority.writeCertificate(certificate, directory.resolve("s_server.pem"))
                        .toString(),
                "-key",
                TestAuthority.writeKey(certificate, directory.resolve("s_server.key"))
                        .toString());
        command.addAll(List.of(arguments));
        Path output = directory.resolve("s_server.log");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            await().atMost(PATIENCE).until(() -> Files.readString(output).contains("ACCEPT") || !process.isAlive());
            if (!process.isAlive()) {
                throw new AssertionError("openssl s_server did not start: " + Files.readString(output));
            }
            return new OpenSslServer(process, port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String url() {
        return "https://127.0.0.1:" + port;
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
}
