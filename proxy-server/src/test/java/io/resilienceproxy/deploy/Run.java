package io.resilienceproxy.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.testkit.Requirement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A program that has run to its end.
 *
 * @param output what it printed, standard error among it
 */
record Run(List<String> command, int exitCode, String output) {

    /** The repository. */
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final int PATIENCE_SECONDS = 180;

    /** Runs it in the repository. */
    static Run of(String... command) {
        return of(Map.of(), command);
    }

    static Run of(Map<String, String> environment, String... command) {
        Path output = null;
        try {
            output = Files.createTempFile("run", ".out");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(ROOT.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(String.join(" ", command) + " hangs\n" + Files.readString(output));
            }
            return new Run(List.of(command), process.exitValue(), Files.readString(output));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            delete(output);
        }
    }

    private static void delete(@Nullable Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Fails unless it ended well. */
    Run orFail() {
        assertThat(exitCode).as("%s%n%s", String.join(" ", command), output).isZero();
        return this;
    }

    /** Skips the test, or fails it in CI, where a program is missing. */
    static String need(String program, String howToGetIt) {
        return Requirement.find(program, Path.of(System.getProperty("user.home"), "go", "bin"))
                .map(Path::toString)
                .orElseThrow(() -> Requirement.missing(program + " not found: " + howToGetIt));
    }
}
