package io.resilienceproxy.testkit;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Programs that tests drive: looked for, and where missing a skip on a developer's machine but a failure in CI. */
public final class Requirement {

    private Requirement() {}

    /** The first executable of that name in the extra directories and then on the PATH. */
    public static Optional<Path> find(String program, Path... extraDirectories) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.concat(
                        Arrays.stream(extraDirectories),
                        Arrays.stream(path.split(File.pathSeparator)).map(Path::of))
                .map(directory -> directory.resolve(program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Skips the test, or fails it where the environment says {@code CI=true}: what CI skips, nobody runs.
     *
     * @return an exception for the compiler's sake; this method never returns
     */
    public static IllegalStateException missing(String message) {
        if ("true".equals(System.getenv("CI"))) {
            throw new AssertionError(message);
        }
        System.err.println("SKIPPED: " + message);
        Assumptions.abort(message);
        return new IllegalStateException(message);
    }
}
