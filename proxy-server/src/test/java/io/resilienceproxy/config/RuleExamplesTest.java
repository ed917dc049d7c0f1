package io.resilienceproxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.policy.Problem;
import io.resilienceproxy.policy.Problem.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** For each rule a policy that just breaks it, and one that just keeps it. */
class RuleExamplesTest {

    private static final Path DOCUMENT = Path.of("..", "docs", "validate.md");

    private record Example(Severity severity, String breaking, String keeping) {}

    private static Example error(String breaking, String keeping) {
        return new Example(Severity.ERROR, Loading.upstream(breaking), Loading.upstream(keeping));
    }

    private static Example warning(String breaking, String keeping) {
        return new Example(Severity.WARNING, Loading.upstream(breaking), Loading.upstream(keeping));
    }

    private static Example example(Rule rule) {
        String once = "\nretry: {max-attempts: 1}";
        return switch (rule) {
            case ISO_2 ->
                warning(
                        "pool: {max-connections: 11}\nbulkhead: {max-concurrent-calls: 10}",
                        "pool: {max-connections: 12}\nbulkhead: {max-concurrent-calls: 10}");
            case SUM ->
                new Example(
                        Severity.WARNING,
                        "limits: {max-connections: 39}\nupstreams: {a: {url: http://a}, b: {url: http://b}}",
                        "limits: {max-connections: 40}\nupstreams: {a: {url: http://a}, b: {url: http://b}}");
            case TO_1 ->
                warning(
                        "timeouts: {connect: 1s, read: 2s, call: 3999ms}" + once,
                        "timeouts: {connect: 1s, read: 2s, call: 4s}" + once);
            case TO_3 -> error("deadline: {buffer: 8s}", "deadline: {buffer: 7999ms}");
            case TO_X2 ->
                error(
                        "timeouts: {connect: 2s, read: 2s, call: 20s}",
                        "timeouts: {connect: 1999ms, read: 2s, call: 20s}");
            case TO_X3 -> error("timeouts: {read: 60001ms, call: 4m}", "timeouts: {read: 60s, call: 4m}");
            case PRODUCT -> warning("timeouts: {call: 7799ms}", "timeouts: {call: 7800ms}");
            case CB_2 ->
                error("circuit-breaker: {sliding-window-size: 9}", "circuit-breaker: {sliding-window-size: 10}");
            case CB_3 ->
                warning(
                        "circuit-breaker: {failure-rate-threshold: 81}",
                        "circuit-breaker: {failure-rate-threshold: 80}");
            case CB_5 ->
                warning(
                        "circuit-breaker: {slow-call-duration-threshold: 2s}",
                        "circuit-breaker: {slow-call-duration-threshold: 1999ms}");
            case RE_1 -> warning("retry: {methods: [GET, PUT]}", "retry: {methods: [GET, HEAD, OPTIONS]}");
            case RE_X1 -> error("retry: {methods: [POST]}", "retry: {methods: []}");
            case RE_X2 -> error("retry: {retry-on: [404]}", "retry: {retry-on: [408, 425, 429]}");
            case RE_3 ->
                error(
                        "timeouts: {call: 1m}\nretry: {max-attempts: 6}",
                        "timeouts: {call: 1m}\nretry: {max-attempts: 5}");
            case RE_X3 ->
                error("retry: {exponential-backoff-multiplier: 1}", "retry: {exponential-backoff-multiplier: 1.001}");
            case RE_4 ->
                warning(
                        "timeouts: {call: 1m}\nretry: {max-attempts: 2, wait-duration: 5001ms, max-wait-duration: 6s}",
                        "timeouts: {call: 1m}\nretry: {max-attempts: 2, wait-duration: 5s, max-wait-duration: 6s}");
            case BUDGET -> warning("retry: {budget: {ratio: 0.201}}", "retry: {budget: {ratio: 0.2}}");
            case FB_X1 ->
                error(
                        "routes: [{name: a, path: /a, methods: [GET, PUT], fallback: {stale-if-error: 1h}}]",
                        "fallback: {stale-if-error: 1h}\nroutes: [{name: a, path: /a, methods: [GET, PUT]}]");
            case MEMORY ->
                warning(
                        "fallback: {stale-if-error: 1h, max-bytes: 17MiB}",
                        "fallback: {stale-if-error: 0ms, max-bytes: 17MiB}");
            case BH_3 -> warning("bulkhead: {max-concurrent-calls: 17}", "bulkhead: {max-concurrent-calls: 16}");
        };
    }

    @ParameterizedTest
    @EnumSource
    void isFoundWhereItIsJustBroken(Rule rule) {
        Example example = example(rule);

        assertThat(Loading.load(example.breaking()).problems())
                .anySatisfy(problem -> {
                    assertThat(problem.code()).isEqualTo(rule.code());
                    assertThat(problem.severity()).isEqualTo(example.severity());
                    assertThat(problem.message()).containsPattern("\\((expected|advised): ");
                })
                .allMatch(problem -> rule.code().equals(problem.code()) || problem.severity() == Severity.WARNING);
    }

    @ParameterizedTest
    @EnumSource
    void isSilentWhereItIsJustKept(Rule rule) {
        LoadResult result = Loading.load(example(rule).keeping());

        assertThat(result.policy()).isNotNull();
        assertThat(result.problems()).extracting(Problem::code).doesNotContain(rule.code());
    }

    /** The two rules that are an error on one side and a warning on another. */
    @ParameterizedTest
    @EnumSource(names = {"TO_1", "RE_4", "CB_2"})
    void isFoundAsAnErrorToo(Rule rule) {
        String text = switch (rule) {
            case TO_1 -> "timeouts: {connect: 10001ms, read: 20s, call: 2m}";
            case RE_4 ->
                "timeouts: {call: 2m}\n" + "retry: {max-attempts: 2, wait-duration: 30001ms, max-wait-duration: 31s}";
            default -> "circuit-breaker: {minimum-number-of-calls: 1}";
        };

        assertThat(Loading.load(Loading.upstream(text)).problems())
                .filteredOn(problem -> problem.severity() == Severity.ERROR)
                .extracting(Problem::code)
                .containsExactly(rule.code());
    }

    @ParameterizedTest
    @EnumSource
    void isDocumented(Rule rule) throws IOException {
        List<String> rows = Files.readAllLines(DOCUMENT);

        assertThat(rows)
                .filteredOn(row -> row.startsWith("| " + rule.code() + " | error")
                        || row.startsWith("| " + rule.code() + " | warning"))
                .singleElement()
                .asString()
                .contains(rule.summary());
    }
}
