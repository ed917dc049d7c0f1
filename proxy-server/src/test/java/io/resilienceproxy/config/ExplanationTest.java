package io.resilienceproxy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExplanationTest {

    private static final Map<String, String> ENVIRONMENT =
            Map.of("READ", "3s", "URL", "http://a.test:81/hush", "BARE", "http://b.test", "HEADER", "X-Hush");

    private static final String TEXT = """
            listen: {port: 8481}
            defaults: {timeouts: {connect: 100ms}, pool: {max-connections: 30}}
            upstreams:
              sber:
                url: ${URL}
                timeouts: {read: "${READ}"}
                deadline: {header: "${HEADER}", buffer: "${BUFFER:50ms}"}
                retry: {max-attempts: 2}
                routes:
                - name: reports
                  path: /reports
                  timeouts: {read: 1s}
                  bulkhead: {max-concurrent-calls: 4}
              other: {url: "${BARE}"}
            """;

    private static Explanation explain(String text) {
        LoadResult result = new PolicyLoader(ENVIRONMENT::get).parse("policy.yaml", text);
        assertThat(result.problems()).isEmpty();
        return Objects.requireNonNull(result.explanation());
    }

    /** A line of the explanation, single-spaced. */
    private static String line(String selector, String key) {
        return explain(TEXT)
                .text(selector)
                .lines()
                .map(line -> line.strip().replaceAll(" +", " "))
                .filter(line -> line.startsWith(key + ":"))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "sber; call; call: 8s # default",
                "sber; connect; connect: 100ms # defaults, line 2",
                "sber; read; read: 3s # upstream, line 6, environment READ",
                "sber; buffer; buffer: 50ms # upstream, line 7, fallback of BUFFER",
                "sber; max-concurrent-calls; max-concurrent-calls: 24 # derived: 0.8 x pool.max-connections",
                "sber; max-waiting; max-waiting: 24 # derived: bulkhead.max-concurrent-calls",
                "sber; slow-call-duration-threshold; slow-call-duration-threshold: 1500ms # derived: timeouts.read / 2",
                "sber.reports; read; read: 1s # route, line 12",
                "sber.reports; connect; connect: 100ms # defaults, line 2",
                "sber.reports; buffer; buffer: 50ms # upstream, line 7, fallback of BUFFER",
                "sber.reports; max-concurrent-calls; max-concurrent-calls: 4 # route, line 13",
                "sber.reports; max-waiting; max-waiting: 4 # derived: bulkhead.max-concurrent-calls",
            })
    void eachValueSaysWhereItComesFrom(String selector, String key, String line) {
        assertThat(line(selector, key)).isEqualTo(line);
    }

    @Test
    void aSettingOfTheProcessSaysSo() {
        assertThat(explain(TEXT).text()).containsPattern("(?m)^  port: 8481 +# process, line 1$");
    }

    @Test
    void whatARouteSharesIsNotShownAsItsOwn() {
        assertThat(explain(TEXT).text("sber.reports"))
                .contains("# circuit-breaker: shared with its upstream", "# budget: shared with its upstream")
                .doesNotContain("failure-rate-threshold", "max-tokens");
    }

    @Test
    void textFromTheEnvironmentIsMasked() {
        assertThat(line("sber", "url")).isEqualTo("url: \"http://a.test:81/***\" # upstream, line 5, environment URL");
        assertThat(line("sber", "header")).isEqualTo("header: \"***\" # upstream, line 7, environment HEADER");
        assertThat(line("other", "url")).startsWith("url: http://b.test # ");
        assertThat(explain(TEXT).text()).doesNotContain("hush", "X-Hush");
    }

    @Test
    void anUpstreamOrARouteIsShownAlone() {
        assertThat(explain(TEXT).text("other"))
                .startsWith("upstreams:\n  other:\n    url:")
                .doesNotContain("sber");
        assertThat(explain(TEXT).text("sber.reports"))
                .startsWith("upstreams:\n  sber:\n    routes:\n      - name: reports ");
        assertThat(explain(TEXT).text("sber.default")).contains("read: 3s").doesNotContain("name: reports");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "sbr; there is no upstream \"sbr\" (did you mean \"sber\"?)",
                "x; there is no upstream \"x\" (known: sber, other)",
                "sber.report; there is no route of sber \"report\" (did you mean \"reports\"?)",
                "other.a; there is no route of other \"a\" (known: default)",
            })
    void anUnknownNameIsAnsweredWithTheNearest(String selector, String message) {
        Explanation explanation = explain(TEXT);

        assertThatThrownBy(() -> explanation.text(selector))
                .isInstanceOf(NoSuchElementException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"example.yaml", "quickstart.yaml"})
    void readAsAPolicyItMeansTheSame(String file) throws IOException {
        assertMeansTheSame(Files.readString(ExampleFilesTest.CONFIG.resolve(file)));
    }

    @Test
    void readAsAPolicyItMeansTheSameWithValuesThatNeedQuotes() {
        assertMeansTheSame("""
                listen: {host: "::1"}
                upstreams:
                  "0": {url: "http://[::1]:80/a", hosts: ["x:8080"]}
                  no: {url: http://a/%20/~*, deadline: {header: "*~`!#"}, retry: {methods: [], retry-on: []}}
                  null: {url: "http://b", routes: [{name: "null", path: "/a,b"}, {name: "true", methods: ["NULL"]}]}
                """);
    }

    static void assertMeansTheSame(String text) {
        LoadResult first = new PolicyLoader(name -> null).parse("policy.yaml", text);
        Explanation explanation = Objects.requireNonNull(first.explanation(), first.problems()::toString);
        LoadResult second = new PolicyLoader(name -> null).parse("explained.yaml", explanation.text());
        assertThat(second.policy())
                .as("%s%n%s", second.problems(), explanation.text())
                .isEqualTo(first.policy());
    }
}
