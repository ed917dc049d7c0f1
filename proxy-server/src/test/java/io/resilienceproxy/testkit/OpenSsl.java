package io.resilienceproxy.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The openssl program, so that keys and handshakes are also held against somebody else's. */
public final class OpenSsl {

    private static final long PATIENCE_SECONDS = 20;

    private OpenSsl() {}

    /** @throws org.opentest4j.TestAbortedException where there is none and this is not CI */
    static List<String> command(String... arguments) {
        Path program = Requirement.find("openssl")
                .orElseThrow(() -> Requirement.missing("openssl not found: apt-get install openssl"));
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Runs it to its end, which must be a good one. */
    public static void run(String... arguments) {
        try {
            Process process = new ProcessBuilder(command(arguments))
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes());
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new AssertionError("openssl " + String.join(" ", arguments) + ": " + output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
