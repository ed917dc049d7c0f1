package io.resilienceproxy.peers;

import io.resilienceproxy.testkit.Requirement;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Runs programs of this machine, and the scripts of this package with them. */
public final class Programs {

    private static final int PATIENCE_SECONDS = 120;

    private Programs() {}

    /** A script of this package, as a file in that directory. */
    static Path script(String name, Path directory) {
        Path copy = directory.resolve(name);
        try (InputStream script = Programs.class.getResourceAsStream("/peers/" + name)) {
            Files.write(copy, Objects.requireNonNull(script, name).readAllBytes());
            return copy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What it printed; fails when it fails. */
    public static byte[] output(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            byte[] output = process.getInputStream().readAllBytes();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new AssertionError(command + " failed");
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Skips the test, or fails it in CI, where a program is missing. */
    public static void need(String program, String debianPackage) {
        Requirement.find(program)
                .orElseThrow(() -> Requirement.missing(program + " not found: apt-get install " + debianPackage));
    }
}
