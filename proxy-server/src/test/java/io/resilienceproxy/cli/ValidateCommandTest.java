package io.resilienceproxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ValidateCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    @Test
    void aPolicyWithoutErrorsIsValid() throws IOException {
        Path file = policy("upstreams:\n  sber:\n    url: http://pay.example.com\n");

        assertThat(validate(file.toString())).as("%s", out).isZero();
        assertThat(out.toString()).contains(file + ": valid, 0 errors, ");
    }

    @Test
    void everyProblemIsALineWithItsPlace() throws IOException {
        Path file = policy("upstreams:\n  sber:\n    url: nonsense\n    timeouts:\n      read: 10\n");

        assertThat(validate(file.toString())).isOne();
        assertThat(out.toString().lines())
                .anySatisfy(line -> assertThat(line).startsWith(file + ":3:").contains("upstreams.sber.url"))
                .anySatisfy(line -> assertThat(line).startsWith(file + ":5:").contains("upstreams.sber.timeouts.read"))
                .last()
                .asString()
                .startsWith(file + ": not valid, 2 errors, ");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void aFileThatIsNotThereIsAProblemLikeAnyOther() {
        assertThat(validate(directory.resolve("absent.yaml").toString())).isOne();
        assertThat(out.toString()).contains("there is no such file").contains("not valid, 1 error, 0 warnings");
    }

    @Test
    void aMissingFileNameIsAUsageError() {
        assertThat(validate()).isEqualTo(2);
        assertThat(err.toString()).contains("FILE");
    }

    private Path policy(String text) throws IOException {
        return Files.writeString(directory.resolve("policy.yaml"), text);
    }

    private int validate(String... args) {
        String[] command = new String[args.length + 1];
        command[0] = "validate";
        System.arraycopy(args, 0, command, 1, args.length);
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), command);
    }
}
