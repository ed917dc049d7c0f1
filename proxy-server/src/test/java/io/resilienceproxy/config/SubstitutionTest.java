package io.resilienceproxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.policy.Policy;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SubstitutionTest {

    private static String listen(String port) {
        return "listen:\n  port: " + port + "\nupstreams: {sber: {url: http://sber}}\n";
    }

    @Test
    void aValueIsTypedAfterSubstitution() {
        assertThat(Loading.clean(listen("${PORT}")).listen().port()).isEqualTo(8600);
        assertThat(Loading.clean(listen("\"${PORT}\"")).listen().port()).isEqualTo(8600);
        assertThat(Loading.clean(listen("86${NOTHING:00}")).listen().port()).isEqualTo(8600);
        assertThat(Loading.problems(listen("${READ}")))
                .containsExactly("2:3: listen.port: 3s (from ${READ}) (expected: a whole number from 0 to 65535)");
    }

    @Test
    void aFallbackStandsInForAnUnsetVariableOnly() {
        assertThat(Loading.clean(listen("${NOTHING:81}")).listen().port()).isEqualTo(81);
        assertThat(Loading.clean(listen("${PORT:81}")).listen().port()).isEqualTo(8600);
        assertThat(Loading.problems(listen("${EMPTY:81}")))
                .containsExactly(
                        "2:3: listen.port: \"\" (from ${EMPTY:81}) (expected: a whole number from 0 to 65535)");
    }

    @Test
    void anUnsetVariableWithoutFallbackIsAnErrorThatNamesIt() {
        assertThat(Loading.problems(listen("${NOTHING}")))
                .containsExactly("2:3: listen.port: the environment variable NOTHING is not set"
                        + " (expected: set, or ${NOTHING:fallback})");
    }

    @Test
    void worksWithinTextMoreThanOnceAndInLists() {
        Policy policy = Loading.clean(Loading.upstream(
                "hosts: [\"a:${PORT}\", \"${NOTHING:b}\"]",
                "timeouts:",
                "  read: ${READ}",
                "retry: {max-attempts: 2}"));

        assertThat(policy.upstreams().get(0).hosts()).containsExactly("a:8600", "b");
        assertThat(policy.upstreams().get(0).defaultRoute().timeouts().read()).isEqualTo(Duration.ofSeconds(3));
        assertThat(Loading.clean("upstreams:\n  a:\n    url: ${S:http}://${H:x}:${PORT}/v1\n")
                        .upstreams()
                        .get(0)
                        .url())
                .hasToString("http://x:8600/v1");
    }

    @Test
    void whatComesFromTheEnvironmentIsNotExpandedAgain() {
        assertThat(Loading.problems(listen("${NESTED}")))
                .containsExactly(
                        "2:3: listen.port: ${PORT} (from ${NESTED}) (expected: a whole number from 0 to 65535)");
    }

    @Test
    void aDoubledDollarKeepsTheReference() {
        assertThat(Loading.problems(listen("$${PORT}")))
                .containsExactly(
                        "2:3: listen.port: ${PORT} (from $${PORT}) (expected: a whole number from 0 to 65535)");
        assertThat(Loading.problems(listen("$5")))
                .containsExactly("2:3: listen.port: $5 (expected: a whole number from 0 to 65535)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"${", "${}", "${PORT", "${:x}", "${A B}", "${1A}", "${A:${PORT}}", "${A-b}"})
    void refusesAMalformedReference(String text) {
        assertThat(Loading.problems(listen("'" + text + "'")))
                .singleElement()
                .asString()
                .contains("(expected: ${NAME} or ${NAME:fallback}; $${ for a literal ${)");
    }

    @Test
    void aTrailingLineBreakInAVariableIsShownNotSwallowed() {
        assertThat(Loading.problems(Loading.upstream("timeouts:", "  read: ${TRAILING}")))
                .singleElement()
                .asString()
                .contains("\"3s\\n\" (from ${TRAILING})");
    }

    @Test
    void aVariableThatSaysNullIsText() {
        assertThat(Loading.clean("listen:\n  host: ${NULL}\nupstreams: {a: {url: http://a}}")
                        .listen()
                        .host())
                .isEqualTo("null");
    }

    @Test
    void keysAreNotSubstituted() {
        assertThat(Loading.problems("upstreams:\n  \"${READ}\": {url: http://a}\n"))
                .singleElement()
                .asString()
                .startsWith("2:3: upstreams.${READ}: ${READ} (expected: a name");
    }

    @Test
    void refusesAValueThatGrowsTooLong() {
        assertThat(Loading.problems(listen("${LONG}")))
                .containsExactly("2:3: listen.port: a value that is too long (expected: at most 1024 characters)");
    }
}
