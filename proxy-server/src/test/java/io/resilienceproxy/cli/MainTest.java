package io.resilienceproxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class MainTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void printsItsVersion() {
        assertThat(execute("--version")).isZero();
        assertThat(out.toString()).startsWith("resilience-proxy ");
    }

    @Test
    void printsItsUsageWhenAsked() {
        assertThat(execute("--help")).isZero();
        assertThat(out.toString()).contains("Usage: resilience-proxy");
    }

    @Test
    void aMissingCommandIsAUsageError() {
        assertThat(execute()).isEqualTo(2);
        assertThat(err.toString()).contains("A command is missing").contains("Usage: resilience-proxy");
    }

    @Test
    void anUnknownOptionIsAUsageError() {
        assertThat(execute("--no-such-option")).isEqualTo(2);
        assertThat(err.toString()).contains("--no-such-option");
    }

    @Test
    void aStartupFailureIsOneLineWithoutAStackTrace() {
        CommandLine commandLine = Main.commandLine().addSubcommand(new Failing());

        assertThat(commandLine.setErr(new PrintWriter(err, true)).execute("failing"))
                .isOne();
        assertThat(err.toString()).isEqualTo("resilience-proxy: port 8480 is taken" + System.lineSeparator());
    }

    private int execute(String... args) {
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    @Command(name = "failing")
    private static final class Failing implements Runnable {
        @Override
        public void run() {
            throw new StartupFailure("port 8480 is taken");
        }
    }
}
