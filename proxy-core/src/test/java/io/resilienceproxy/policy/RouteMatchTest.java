package io.resilienceproxy.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RouteMatchTest {

    private final RouteMatch reports = new RouteMatch("/a/reports", Set.of());

    @ParameterizedTest
    @ValueSource(strings = {"/a/reports", "/a/reports/", "/a/reports/1", "/a/reports?x", "/a/reports?/"})
    void matchesWholeSegments(String target) {
        assertThat(reports.matches("GET", target, 0)).isTrue();
        assertThat(reports.matches("GET", "/sber" + target, 5)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/a/reportsX",
                "/a/report",
                "/a",
                "/",
                "",
                "*",
                "/A/reports",
                "/a//reports",
                "/a/reports;v=1",
                "/a/reports%2F"
            })
    void matchesNothingElse(String target) {
        assertThat(reports.matches("GET", target, 0)).isFalse();
        assertThat(reports.matches("GET", "/sber" + target, 5)).isFalse();
    }

    @Test
    void matchesListedMethodsCaseSensitively() {
        RouteMatch reads = new RouteMatch("", Set.of("GET", "HEAD"));
        assertThat(reads.matches("GET", "/", 0)).isTrue();
        assertThat(reads.matches("get", "/", 0)).isFalse();
        assertThat(reads.matches("POST", "/", 0)).isFalse();
    }

    @Test
    void anyMatchesEverything() {
        assertThat(RouteMatch.ANY.matches("BREW", "*", 0)).isTrue();
        assertThat(RouteMatch.ANY.matches("GET", "/sber", 5)).isTrue();
    }
}
