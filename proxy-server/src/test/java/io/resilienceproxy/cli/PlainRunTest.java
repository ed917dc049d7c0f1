package io.resilienceproxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParameterException;

class PlainRunTest {

    private static final int MOST_WORDS = 4;

    private static final List<String> WORDS = List.of(
            "run",
            "--config",
            "-c",
            "--config=a.yaml",
            "--config=",
            "-c=a.yaml",
            "-ca.yaml",
            "a.yaml",
            "b c.yaml",
            "@file",
            "\"q\"",
            "--",
            "-",
            "",
            "--help",
            "-h",
            "--no-warm-up",
            "--no-warm-up=false",
            "--exit-after-warm-up");

    @Test
    void readsWhatItReadsAsPicocliDoes() {
        int read = 0;
        Deque<List<String>> commands = new ArrayDeque<>(List.of(List.of("run")));
        while (!commands.isEmpty()) {
            List<String> command = commands.pop();
            String[] args = command.toArray(String[]::new);
            RunCommand plain = PlainRun.read(args);
            if (plain != null) {
                read++;
                assertThat(told(plain)).as(command.toString()).isEqualTo(told(byPicocli(args)));
            }
            if (command.size() <= MOST_WORDS) {
                WORDS.forEach(word -> commands.push(
                        Stream.concat(command.stream(), Stream.of(word)).toList()));
            }
        }
        assertThat(read).as("commands of which it made something").isGreaterThan(50);
    }

    @Test
    void readsTheFormsThatStartsHave() {
        assertThat(told(PlainRun.read("run", "--config", "/etc/policy.yaml"))).isEqualTo("/etc/policy.yaml");
        assertThat(told(PlainRun.read("run", "-c", "p.yaml", "--no-warm-up"))).isEqualTo("p.yaml cold");
        assertThat(told(PlainRun.read("run", "--exit-after-warm-up", "--config=p.yaml")))
                .isEqualTo("p.yaml training");
    }

    @Test
    void leavesTheRestToPicocli() {
        assertThat(PlainRun.read()).isNull();
        assertThat(PlainRun.read("ping")).isNull();
        assertThat(PlainRun.read("run")).isNull();
        assertThat(PlainRun.read("run", "--config")).isNull();
        assertThat(PlainRun.read("run", "--help")).isNull();
        assertThat(PlainRun.read("run", "--config", "a", "--config", "b")).isNull();
        assertThat(PlainRun.read("run", "--config", "a", "--bogus")).isNull();
    }

    private static String told(RunCommand command) {
        return command.config() + (command.isCold() ? " cold" : "") + (command.isTraining() ? " training" : "");
    }

    private static RunCommand byPicocli(String... args) {
        try {
            return (RunCommand) Main.commandLine()
                    .parseArgs(args)
                    .subcommand()
                    .commandSpec()
                    .userObject();
        } catch (ParameterException e) {
            throw new AssertionError(List.of(args) + " are taken, but are wrong: " + e.getMessage(), e);
        }
    }
}
