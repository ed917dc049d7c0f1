package io.resilienceproxy.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressMappingTest {

    private static final AddressMapping PLAIN = new AddressMapping("http", "app.test:8080", 8080, "");
    private static final AddressMapping BASED = new AddressMapping("https", "pay.test", 443, "/v1");

    @ParameterizedTest
    @CsvSource({
        "http://app.test:8080/x?q=1#f, http://localhost:8480/up/x?q=1#f",
        "HTTP://APP.Test:8080/x, http://localhost:8480/up/x",
        "http://app.test:8080, http://localhost:8480/up",
        "http://app.test:8080?q, http://localhost:8480/up?q",
        "//app.test:8080/x, //localhost:8480/up/x",
        "/x, /up/x",
        "/, /up/",
        "/a/..b/.c, /up/a/..b/.c",
        "/a?back=/../b, /up/a?back=/../b"
    })
    void putsTheCallersAddressInPlaceOfTheUpstreams(String value, String mapped) {
        assertThat(PLAIN.reference(value, "/up", "localhost:8480")).isEqualTo(mapped);
    }

    @ParameterizedTest
    @CsvSource({
        "https://pay.test/v1/x, http://localhost:8480/up/x",
        "https://pay.test:443/v1/x, http://localhost:8480/up/x",
        "https://pay.test/v1, http://localhost:8480/up",
        "/v1/x, /up/x",
        "/v1?q, /up?q"
    })
    void takesTheBasePathAway(String value, String mapped) {
        assertThat(BASED.reference(value, "/up", "localhost:8480")).isEqualTo(mapped);
    }

    @ParameterizedTest
    @CsvSource({"/v1, /", "/v1/x, /x", "/v1?q, /?q", "https://pay.test/v1, http://localhost:8501/"})
    void leavesAPathWhereTheCallerUsedNoPrefix(String value, String mapped) {
        assertThat(BASED.reference(value, "", "localhost:8501")).isEqualTo(mapped);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://other.test/x",
                "https://app.test:8080/x",
                "http://app.test/x",
                "http://app.test:80801/x",
                "http://app.test:8080@evil.test/x",
                "http://u@app.test:8080/x",
                "http:/x",
                "mailto:a@b.test",
                "x",
                "../x",
                "?q",
                "#f",
                "",
                "/a/../x",
                "/./x",
                "/a/.."
            })
    void leavesWhatIsNotTheUpstreamsOwn(String value) {
        assertThat(PLAIN.reference(value, "/up", "localhost:8480")).isSameAs(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"https://pay.test/v2/x", "https://pay.test/v10", "/v10/x", "/login", "/", "http://pay.test/v1"})
    void leavesWhatLiesBesideTheBasePath(String value) {
        assertThat(BASED.reference(value, "/up", "localhost:8480")).isSameAs(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://app.test:8080/x", "http://App.Test:8080/x", "//app.test:8080", "/x"})
    void leavesTheUpstreamsNameToACallerThatUsesIt(String value) {
        assertThat(PLAIN.reference(value, "", "app.test:8080")).isEqualTo(value);
    }

    @Test
    void keepsACallerThatUsesTheNameOfAnEncryptedUpstreamInsideTheProxy() {
        assertThat(BASED.reference("https://pay.test/v1/x", "", "pay.test")).isEqualTo("http://pay.test/x");
    }

    @Test
    void answersACallerThatNamedNoHostWithAPath() {
        assertThat(PLAIN.reference("http://app.test:8080/x", "/up", null)).isEqualTo("/up/x");
    }

    @ParameterizedTest
    @CsvSource({
        "a=1; Path=/, a=1; Path=/up",
        "a=1; Path=/x/, a=1; Path=/up/x/",
        "a=1;path = /x ;Secure, a=1;path = /up/x ;Secure",
        "a=1; Path=/x; HttpOnly; Path=/y, a=1; Path=/up/x; HttpOnly; Path=/up/y",
        "'a=\"/x\"; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Path=/x', 'a=\"/x\"; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Path=/up/x'"
    })
    void mapsThePathOfACookie(String value, String mapped) {
        assertThat(PLAIN.cookie(value, "/up")).isEqualTo(mapped);
    }

    @ParameterizedTest
    @CsvSource({
        "Path=/, Path=/up",
        "Path=/v1, Path=/up",
        "Path=/v1/, Path=/up/",
        "Path=/v1/x, Path=/up/x",
        "Path=/v2, Path=/v2",
        "Path=/v10, Path=/v10"
    })
    void mapsACookiePathByWhetherItCoversTheBasePath(String attribute, String mapped) {
        assertThat(BASED.cookie("a=1; " + attribute, "/up")).isEqualTo("a=1; " + mapped);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a=1",
                "a=1; Path",
                "a=1; Path=",
                "a=1; Path=x",
                "Path=/x",
                "a=1; Pathy=/x",
                "__Host-a=1; Path=/",
                ""
            })
    void leavesACookieThatNamesNoPathOfTheUpstreams(String value) {
        assertThat(PLAIN.cookie(value, "/up")).isEqualTo(value);
    }

    @Test
    void mapsEachFieldOfAResponseAndKeepsTheOrderOfCookies() {
        HttpHeaders fields = new DefaultHttpHeaders()
                .add("Set-Cookie", "a=1; Path=/")
                .add("Location", "/x")
                .add("Set-Cookie", "b=2")
                .add("content-location", "http://app.test:8080/y");

        PLAIN.toCaller(fields, request("/up/z", null, "localhost"), 3);

        assertThat(fields.getAll("Set-Cookie")).containsExactly("a=1; Path=/up", "b=2");
        assertThat(fields.getAll("Location")).containsExactly("/up/x");
        assertThat(fields.getAll("Content-Location")).containsExactly("http://localhost/up/y");
    }

    @Test
    void usesTheAuthorityOfAnAbsoluteTargetBeforeHost() {
        HttpHeaders fields = new DefaultHttpHeaders().add("Location", "http://app.test:8080/x");

        PLAIN.toCaller(fields, request("/z", "alias.test", "other.test"), 0);

        assertThat(fields.getAll("Location")).isEqualTo(List.of("http://alias.test/x"));
    }

    private static RequestHead request(String target, @Nullable String authority, String host) {
        HttpHeaders fields = new DefaultHttpHeaders().add("Host", host);
        return new RequestHead("GET", target, authority, fields, 1, BodyLength.ABSENT, true, false, false);
    }
}
