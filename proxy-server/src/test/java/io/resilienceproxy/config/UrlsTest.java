package io.resilienceproxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.policy.UpstreamUrl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code urls} in place of {@code url}, and {@code pool.min-idle}. */
class UrlsTest {

    private static String yaml(String settings) {
        return "upstreams: {pay: {" + settings + "}}";
    }

    private static UpstreamPolicy upstream(String settings) {
        return Loading.clean(yaml(settings)).upstreams().get(0);
    }

    @Test
    void standInOrderOfPreference() {
        UpstreamPolicy pay = upstream("urls: ['http://east:81/v1', 'http://west', 'http://[::1]:80']");

        assertThat(pay.urls())
                .containsExactly(
                        new UpstreamUrl("http", "east", 81, "/v1"),
                        new UpstreamUrl("http", "west", 80, ""),
                        new UpstreamUrl("http", "::1", 80, ""));
        assertThat(pay.url()).isEqualTo(pay.urls().get(0));
    }

    @Test
    void oneIsAsGoodAsAUrl() {
        assertThat(upstream("urls: ['http://east']")).isEqualTo(upstream("url: 'http://east'"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "urls: []|upstreams.pay.urls: an empty list (expected: one url or more, the preferred one first)",
                "url: http://a, urls: [http://b]|upstreams.pay.urls: urls beside url (expected: one of them; urls with the preferred"
                        + " one first)",
                "urls: [http://a, http://a/v2]|upstreams.pay.urls[1]: http://a/v2 (expected: another host or port; line 1 has a:80)",
                "urls: [http://a, ftp://b]|upstreams.pay.urls[1]: ftp://b (expected:",
                "urls: [http://a1, http://a2, http://a3, http://a4, http://a5, http://a6, http://a7, http://a8, http://a9]"
                        + "|upstreams.pay.urls: 9 urls (expected: at most 8)",
                "listen-port: 81|upstreams.pay.url: missing (expected: a url such as http://localhost:9000)",
                "url: http://a, pool: {max-connections: 2, min-idle: 3}|upstreams.pay.pool.min-idle: min-idle is 3 (expected: at"
                        + " most pool.max-connections, which is 2)",
                "url: http://a, pool: {min-idle: -1}|upstreams.pay.pool.min-idle: -1 (expected: a whole number from 0 to 10000",
            })
    void whatIsWrongIsSaid(String settings, String problem) {
        assertThat(Loading.problems(yaml(settings)))
                .filteredOn(each ->
                        each.toString().contains("pay.url") || each.toString().contains("min-idle"))
                .singleElement()
                .asString()
                .contains(problem);
    }

    /** Each url has a pool of its own. */
    @Test
    void allPoolsOfAllUrlsAreSummedUp() {
        String settings = "urls: [http://a, http://b], pool: {max-connections: 600}";

        assertThat(Loading.problems(yaml(settings)))
                .singleElement()
                .asString()
                .contains("the upstreams' pool.max-connections add up to 1200")
                .endsWith("[sum]");
    }
}
