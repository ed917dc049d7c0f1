package io.resilienceproxy.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UpstreamUrlTest {

    @ParameterizedTest
    @CsvSource({
        "http, pay.example.com, 80, '', pay.example.com, http://pay.example.com",
        "http, pay.example.com, 8080, /v1, pay.example.com:8080, http://pay.example.com:8080/v1",
        "http, pay.example.com, 443, '', pay.example.com:443, http://pay.example.com:443",
        "https, pay.example.com, 443, '', pay.example.com, https://pay.example.com",
        "http, ::1, 80, '', [::1], http://[::1]",
        "http, ::1, 8080, '', [::1]:8080, http://[::1]:8080"
    })
    void writesItsAuthorityWithoutTheDefaultPort(
            String scheme, String host, int port, String basePath, String authority, String text) {
        UpstreamUrl url = new UpstreamUrl(scheme, host, port, basePath);
        assertThat(url.authority()).isEqualTo(authority);
        assertThat(url).hasToString(text);
    }
}
