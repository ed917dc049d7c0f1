package io.resilienceproxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Files made to cost: each ends in problems, within the bounds of the loader. */
class HostileInputTest {

    private static String repeat(int times, String... parts) {
        return IntStream.range(0, times)
                .mapToObj(i -> String.join(String.valueOf(i), parts))
                .collect(Collectors.joining());
    }

    @Test
    void refusesAnAliasBombAtItsFirstAnchor() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x]\n");
        for (int i = 1; i <= 24; i++) {
            bomb.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
        }
        assertThat(Loading.problems(bomb.toString()))
                .contains("1:1: a0: an anchor (expected: none; anchors and aliases are not supported)");
    }

    @Test
    void refusesDeepNesting() {
        assertThat(Loading.problems("a: " + "[".repeat(60) + "]".repeat(60)))
                .singleElement()
                .asString()
                .contains("more than 20 levels");
        assertThat(Loading.problems("[".repeat(500_000))).hasSize(1);
        assertThat(Loading.problems("? ".repeat(500_000))).isNotEmpty();
        assertThat(Loading.problems("- ".repeat(500_000))).hasSize(1);
        assertThat(Loading.problems("{".repeat(500_000))).hasSize(1);
    }

    @Test
    void refusesALargeFile() {
        assertThat(Loading.problems("#".repeat(4 * 1024 * 1024)))
                .containsExactly("1:1: the file is too large (expected: at most 1MiB)");
    }

    @Test
    void refusesMoreValuesThanAPolicyHas() {
        assertThat(Loading.problems(repeat(100_000, "k", ": 1\n")))
                .singleElement()
                .asString()
                .contains("more than 20000 values");
    }

    @Test
    void refusesLongListsAndWideMaps() {
        String list = IntStream.range(0, 101).mapToObj(i -> "5xx").collect(Collectors.joining(", ", "[", "]"));
        assertThat(Loading.problems(Loading.upstream("circuit-breaker: {failure-statuses: " + list + "}")))
                .containsExactly(
                        "4:23: upstreams.sber.circuit-breaker.failure-statuses: 101 items (expected: at most 100)");
        assertThat(Loading.problems("upstreams:\n" + repeat(501, "  u", ": {url: http://x}\n")))
                .containsExactly("1:1: upstreams: 501 keys (expected: at most 500)");
    }

    @Test
    void refusesAValueThatIsTooLong() {
        assertThat(Loading.problems("threads: " + "1".repeat(1025) + "\nupstreams: {a: {url: http://a}}"))
                .containsExactly("1:1: threads: a value that is too long (expected: at most 1024 characters)");
    }

    @Test
    void refusesMoreRoutesThanAPolicyHas() {
        String routes = "routes: [" + "{name: a, path: /a}, ".repeat(99) + "{}]";
        String upstreams = repeat(11, "  u", ": {url: http://x, " + routes + "}\n");

        assertThat(Loading.problems("upstreams:\n" + upstreams))
                .containsExactly("1:1: upstreams: 1100 routes (expected: at most 1000 in all)");
    }

    @Test
    void showsAHundredProblemsAndSaysThatThereAreMore() {
        List<String> problems = Loading.problems(repeat(400, "k", ": 1\n"));

        assertThat(problems).hasSize(101);
        assertThat(problems.get(100)).contains("there may be more problems");
    }

    @Test
    void warningsNeverCrowdOutAnError() {
        String upstreams = repeat(150, "  u", ": {url: http://x, circuit-breaker: {failure-rate-threshold: 90}}\n");

        LoadResult result = Loading.load("upstreams:\n" + upstreams + "threads: 0\n");

        assertThat(result.policy()).isNull();
        assertThat(result.problems()).anyMatch(problem -> problem.path().equals("threads"));
    }

    @Test
    void messagesStayOnOneShortLine() {
        String text = "a\\n\\u001b[31m\\u202e" + "x".repeat(1000);

        assertThat(Loading.problems(
                        "threads: \"" + text + "\"\n\"" + "b\\n" + "\": 1\nupstreams: {a: {url: http://a}}"))
                .allSatisfy(line -> assertThat(line).matches("[ -~]{1,250}"))
                .anyMatch(line -> line.contains("a\\n\\u001b[31m\\u202exxx"));
    }

    @Test
    void aProblemNeverShowsThePasswordOfAUrl() {
        assertThat(Loading.problems("upstreams: {a: {url: \"http://me:secret@host/\"}}"))
                .singleElement()
                .asString()
                .doesNotContain("secret")
                .contains("without user information");
    }
}
