package io.resilienceproxy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SignalsTest {

    private static final Path STATUS = Path.of("/proc/self/status");

    @Test
    void runsItsActionWithEverySignalInsteadOfEndingTheProcess() throws Exception {
        assumeThat(isIgnored()).as("a JVM under nohup cannot be told").isFalse();
        CountDownLatch signals = new CountDownLatch(2);
        Runnable putBack = Signals.on("HUP", signals::countDown);
        while (signals.getCount() > 0) {
            long before = signals.getCount();
            new ProcessBuilder(
                            "kill",
                            "-HUP",
                            String.valueOf(ProcessHandle.current().pid()))
                    .start()
                    .waitFor();
            // Two signals that are pending at once are one.
            for (int i = 0; i < 100 && signals.getCount() == before; i++) {
                signals.await(50, TimeUnit.MILLISECONDS);
            }
            assertThat(signals.getCount()).isEqualTo(before - 1);
        }
        putBack.run();
    }

    @Test
    void aSignalThatTheJvmKeepsForItselfChangesNothing() {
        Signals.on("SEGV", () -> {}).run();
        Signals.on("NONSENSE", () -> {}).run();
    }

    private static boolean isIgnored() throws Exception {
        return Files.exists(STATUS)
                && Files.readAllLines(STATUS).stream()
                        .filter(line -> line.startsWith("SigIgn:"))
                        .anyMatch(line ->
                                (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 1) != 0);
    }
}
