package io.resilienceproxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.policy.FallbackPolicy;
import io.resilienceproxy.policy.FallbackPolicy.Field;
import io.resilienceproxy.policy.FallbackPolicy.FixedResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code fallback} and {@code health} take, and what they refuse. */
class FallbackRulesTest {

    private static FallbackPolicy fallback(String... lines) {
        return Loading.clean(Loading.upstream(lines))
                .upstreams()
                .get(0)
                .defaultRoute()
                .fallback();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{stale-if-error: 25h}; 0ms to 24h",
                "{max-bytes: 63KiB}; 64KiB to 1024MiB",
                "{key-headers: [Host]}; neither framing nor routing",
                "{response: {status: 304}}; 200 to 599 but not 304",
                "{response: {status: 199}}; 200 to 599 but not 304",
                "{response: {status: 204, body: x}}; no body",
                "{response: {status: 200, headers: {X-Degraded: no}}}; does not say what the answer is",
                "{response: {status: 200, headers: {Set-Cookie: a=b}}}; does not say what the answer is",
                "{response: {status: 200, headers: {Content-Length: 5}}}; neither framing nor routing",
                "{response: {status: 200, headers: {'A b': c}}}; a header field name",
                "{response: {status: 200, headers: [A]}}; a map",
            })
    void aFallbackThatCannotBeGivenIsRefused(String value, String expected) {
        assertThat(Loading.problems(Loading.upstream("fallback: " + value)))
                .singleElement()
                .asString()
                .contains(expected);
    }

    /** What follows such a line break would be fields, or a body, of the writer's choice. */
    @ParameterizedTest
    @ValueSource(strings = {"a\\r\\nX-Evil: b", "a\\nb", "a\\rb", " a", "a ", "\\u0000", "\\u00e9", "\\x7f"})
    void aHeaderValueCannotBreakOutOfItsLine(String value) {
        String line = "fallback: {response: {status: 200, headers: {A: \"" + value + "\"}}}";

        assertThat(Loading.problems(Loading.upstream(line)))
                .singleElement()
                .asString()
                .contains("no line breaks");
    }

    @Test
    void aRouteInheritsKeyByKeyAndCanSwitchBothKindsOff() {
        String upstream = "fallback: {stale-if-error: 1h, max-bytes: 1MiB, key-headers: [A],"
                + " response: {status: 200, headers: {B: c}, body: '{}'}}";
        String routes = "routes: [{name: a, path: /a, fallback: {stale-if-error: 2h, response: {body: '[]'}}},"
                + " {name: b, path: /b, fallback: {stale-if-error: 0ms, response: {status: none}}}]";

        var routePolicies = Loading.clean(Loading.upstream(upstream, routes))
                .upstreams()
                .get(0)
                .routes();

        FixedResponse response = new FixedResponse(200, List.of(new Field("B", "c")), "[]");
        assertThat(routePolicies.get(0).fallback())
                .isEqualTo(new FallbackPolicy(Duration.ofHours(2), 1024 * 1024, List.of("a"), response));
        assertThat(routePolicies.get(1).fallback().isOn()).isFalse();
    }

    @Test
    void aRouteCannotNameTheMemory() {
        assertThat(Loading.problems(Loading.upstream("routes: [{name: a, path: /a, fallback: {max-bytes: 1MiB}}]")))
                .singleElement()
                .asString()
                .contains("unknown key \"max-bytes\"");
    }

    @Test
    void aResponseThatNamesNoStatusIs200() {
        assertThat(fallback("fallback: {response: {body: x}}").response())
                .isEqualTo(new FixedResponse(200, List.of(), "x"));
        assertThat(fallback("fallback: {response: {headers: {A: b}}}").response())
                .isEqualTo(new FixedResponse(200, List.of(new Field("A", "b")), ""));
    }

    @Test
    void anEmptyBodyIsAnAnswer() {
        assertThat(fallback("fallback: {response: {status: 204}}").response())
                .isEqualTo(new FixedResponse(204, List.of(), ""));
        assertThat(fallback("fallback: {}")).isEqualTo(FallbackPolicy.OFF);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{ttl: 10s}; a path such as /health",
                "{path: health}; starts with",
                "{path: /a b}; starts with",
                "{path: /a, method: POST}; one of GET, HEAD, OPTIONS",
                "{path: /a, ttl: 999ms}; 1s to 24h",
            })
    void aProbeThatCannotBeMadeIsRefused(String value, String expected) {
        assertThat(Loading.problems(Loading.upstream("health: " + value)))
                .singleElement()
                .asString()
                .contains(expected);
    }

    @Test
    void aBodyOfSeveralLinesIsExplainedOnOneAndMeansTheSame() {
        ExplanationTest.assertMeansTheSame(
                Loading.upstream("fallback: {response: {status: 200, headers: {A: \"b: {c}\", D: \"\"},"
                        + " body: \"x\\n\\ty\\u2028\\u0001\\\\ \\\"$${z}\\\" \"}}"));
    }

    @Test
    void aValueFromTheEnvironmentIsMasked() {
        String text =
                Loading.upstream("fallback: {response: {status: 200, headers: {A: \"${READ}\"}, body: \"${READ}\"}}");

        String explained = java.util.Objects.requireNonNull(Loading.load(text).explanation())
                .text();

        assertThat(explained)
                .contains("headers: {A: \"***\"}", "environment READ")
                .doesNotContain("3s\"");
    }
}
