package io.resilienceproxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ValidateCommandTest {

    private static final String WARNED =
            "upstreams: {a: {url: http://a, circuit-breaker: {failure-rate-threshold: 81}, "
                    + "retry: {budget: {ratio: 1}}}}";

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
    void aPipelineNeedsNoSecrets() throws IOException {
        Path file = policy("upstreams: {sber: {url: https://a, tls: {ca-file: /no/such.pem, key-file: /no/such.key}}}");

        assertThat(validate(file.toString())).isOne();
        assertThat(out.toString())
                .contains("upstreams.sber.tls.ca-file: /no/such.pem")
                .contains("upstreams.sber.tls.key-file: /no/such.key (expected: tls.cert-file beside it)");
        out.getBuffer().setLength(0);

        assertThat(validate("--without-files", file.toString())).isOne();
        assertThat(out.toString())
                .doesNotContain("ca-file: /no/such.pem")
                .contains("upstreams.sber.tls.key-file: /no/such.key (expected: tls.cert-file beside it)");
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
    void theRulesThatAreBrokenStandAfterTheFindingsOnce() throws IOException {
        Path file = policy(WARNED.replace("ratio: 1", "ratio: 0.1")
                .replace("81}", "81}, timeouts: {read: 61s}, routes: [{name: r, path: /r, circuit-breaker: {}}]"));

        assertThat(validate(file.toString())).isOne();
        assertThat(out.toString().lines())
                .filteredOn(line -> line.startsWith("  "))
                .containsExactlyInAnyOrder(
                        "  CB-3: the failure rate that opens the breaker is at most 80 percent",
                        "  TO-X3: an answer that takes more than 60s belongs to a task queue, not to a synchronous call");
    }

    @Test
    void warningsFailOnlyWhereTheyAreToldTo() throws IOException {
        String file = policy(WARNED).toString();

        assertThat(validate(file)).isZero();
        assertThat(out.toString()).contains("policy.yaml: valid, 0 errors, 2 warnings");
        assertThat(validate("--strict", file)).isOne();
        assertThat(out.toString()).contains("policy.yaml: valid, but warnings fail, 0 errors, 2 warnings");
        assertThat(validate(
                        "--strict", policy("upstreams: {a: {url: http://a}}").toString()))
                .isZero();
    }

    @Test
    void theJsonFormHasEachFindingWithItsCodeAndPlace() throws IOException {
        Path file = policy(WARNED);

        assertThat(validate("--format", "json", file.toString())).isZero();
        JsonNode report = new ObjectMapper().readTree(out.toString());
        assertThat(fields(report)).containsExactly("file", "valid", "passed", "errors", "warnings", "findings");
        assertThat(report.get("file").asText()).isEqualTo(file.toString());
        assertThat(report.get("valid").asBoolean()).isTrue();
        assertThat(report.get("passed").asBoolean()).isTrue();
        assertThat(report.get("errors").asInt()).isZero();
        assertThat(report.get("warnings").asInt()).isEqualTo(2);
        JsonNode finding = report.get("findings").get(0);
        assertThat(fields(finding))
                .containsExactly("severity", "code", "rule", "file", "line", "column", "path", "message");
        assertThat(finding.get("severity").asText()).isEqualTo("warning");
        assertThat(finding.get("code").asText()).isEqualTo("CB-3");
        assertThat(finding.get("rule").asText()).startsWith("the failure rate");
        assertThat(finding.get("line").asInt()).isEqualTo(1);
        assertThat(finding.get("column").asInt()).isEqualTo(50);
        assertThat(finding.get("path").asText()).isEqualTo("upstreams.a.circuit-breaker.failure-rate-threshold");
        assertThat(finding.get("message").asText()).startsWith("81 (advised: ");
    }

    @Test
    void theJsonFormOfAFaultOfTheFormatHasNoCode() throws IOException {
        assertThat(validate("--format=json", "--strict", policy("x: 1").toString()))
                .isOne();
        JsonNode report = new ObjectMapper().readTree(out.toString());
        assertThat(report.get("passed").asBoolean()).isFalse();
        assertThat(report.get("valid").asBoolean()).isFalse();
        assertThat(report.get("findings").get(0).get("code").isNull()).isTrue();
        assertThat(report.get("findings").get(0).get("rule").isNull()).isTrue();
    }

    @Test
    void anUnknownFormatIsAUsageError() throws IOException {
        assertThat(validate("--format", "xml", policy(WARNED).toString())).isEqualTo(2);
    }

    private static List<String> fields(JsonNode node) {
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
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
