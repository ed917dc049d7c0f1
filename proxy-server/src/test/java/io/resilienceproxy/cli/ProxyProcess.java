package io.resilienceproxy.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** The packaged program as a process of its own, copied to a directory whose name has spaces. Ended with the test. */
final class ProxyProcess implements AutoCloseable {

    private static final Path JAR = Path.of("target", "resilience-proxy.jar");
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Process process;
    private final Path out;
    private final Path err;

    private ProxyProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    static ProxyProcess start(Path directory, String... arguments) throws IOException {
        return startWith(List.of(), directory, arguments);
    }

    /** @param options of the virtual machine */
    static ProxyProcess startWith(List<String> options, Path directory, String... arguments) throws IOException {
        Path home = Files.createDirectories(directory.resolve("with some spaces"));
        Path jar = Files.copy(JAR, home.resolve("resilience proxy.jar"));
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(options);
        command.addAll(List.of("-jar", jar.toString()));
        command.addAll(List.of(arguments));
        Path out = home.resolve("out");
        Path err = home.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        return new ProxyProcess(
                builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start(), out, err);
    }

    /** What it has printed so far, once that contains the words. */
    String awaitOutput(String words) {
        Awaitility.await(words).atMost(PATIENCE).until(() -> !process.isAlive() || out().contains(words));
        if (!out().contains(words)) {
            throw new AssertionError("exit code " + process.exitValue() + "\n" + out() + err());
        }
        return out();
    }

    /** What it takes of the machine's memory, in KiB; Linux only. */
    long residentKib() {
        return read(Path.of("/proc/" + process.pid() + "/status"))
                .lines()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    String out() {
        return read(out);
    }

    String err() {
        return read(err);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** SIGTERM. A test cannot count on SIGINT, which a shell makes its background jobs ignore, and they all that they start. */
    ProxyProcess terminate() {
        process.destroy();
        return this;
    }

    /** Whether it ends within that time. */
    boolean exits(Duration within) throws InterruptedException {
        return process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS);
    }

    int awaitExit() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("still running\n" + out() + err());
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
