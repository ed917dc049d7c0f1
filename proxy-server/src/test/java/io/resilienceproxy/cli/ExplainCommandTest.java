package io.resilienceproxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.config.PolicyLoader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainCommandTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    @Test
    void printsThePolicyInEffect() throws IOException {
        Path file = policy("upstreams: {sber: {url: http://a, routes: [{name: reports, path: /r}]}}");

        assertThat(explain(file.toString())).isZero();
        assertThat(out.toString()).contains("threads: 1 ", "# derived: timeouts.read / 2", "- name: reports");
        assertThat(new PolicyLoader(name -> null)
                        .parse("again.yaml", out.toString())
                        .policy())
                .isEqualTo(new PolicyLoader(name -> null).load(file).policy());
    }

    @Test
    void printsOneRoute() throws IOException {
        Path file = policy("upstreams: {sber: {url: http://a, routes: [{name: reports, path: /r}]}}");

        assertThat(explain(file.toString(), "sber.reports")).isZero();
        assertThat(out.toString()).startsWith("upstreams:").doesNotContain("threads");
    }

    @Test
    void anUnknownNameIsAnsweredWithTheNearest() throws IOException {
        Path file = policy("upstreams: {sber: {url: http://a}}");

        assertThat(explain(file.toString(), "sbar")).isOne();
        assertThat(err.toString()).contains("there is no upstream \"sbar\" (did you mean \"sber\"?)");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aFileWithErrorsIsNotExplained() throws IOException {
        assertThat(explain(policy("upstreams: {a: {}}").toString())).isOne();
        assertThat(err.toString()).contains("upstreams.a.url: missing");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aMissingFileNameIsAUsageError() {
        assertThat(explain()).isEqualTo(2);
    }

    private Path policy(String text) throws IOException {
        return Files.writeString(directory.resolve("policy.yaml"), text);
    }

    private int explain(String... args) {
        String[] command = new String[args.length + 1];
        command[0] = "explain";
        System.arraycopy(args, 0, command, 1, args.length);
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), command);
    }
}
