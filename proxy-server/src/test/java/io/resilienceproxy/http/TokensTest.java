package io.resilienceproxy.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokensTest {

    @ParameterizedTest
    @ValueSource(strings = {"GET", "a", "!#$%&'*+-.^_`|~09azAZ"})
    void tokens(String text) {
        assertThat(Tokens.isToken(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a,b", "a/b", "a:b", "(", "\u0000", "\u007f", "\u00e4", "\u0661"})
    void noTokens(String text) {
        assertThat(Tokens.isToken(text)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "app.test",
                "app.test:80",
                "app.test:",
                "a_b-c~d",
                "1.2.3.4:65535",
                "[::1]",
                "[::1]:80",
                "[v1.x:y]",
                "%41",
                "!$&'()*+,;="
            })
    void authorities(String text) {
        assertThat(Tokens.isAuthority(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":80",
                "a:b",
                "a:65536",
                "a:000080",
                "a:80:80",
                "a@b",
                "a/b",
                "a?b",
                "a#b",
                "a b",
                "a\\b",
                "[",
                "[]",
                "[1",
                "[::1]x",
                "[::1]80",
                "::1",
                "\u00e4",
                "a:\u0661",
                "a\u0000"
            })
    void noAuthorities(String text) {
        assertThat(Tokens.isAuthority(text)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/a?b", "/[]{}|\\^`\"<>%", "*"})
    void targets(String text) {
        assertThat(Tokens.isTarget(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/ ", "/\t", "/#", "/\u0000", "/\u007f", "/\u0080", "/\u00e4", "/\r", "/\n"})
    void noTargets(String text) {
        assertThat(Tokens.isTarget(text)).isFalse();
    }
}
