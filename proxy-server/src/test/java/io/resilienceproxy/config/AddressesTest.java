package io.resilienceproxy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressesTest {

    @ParameterizedTest
    @CsvSource({
        "http://localhost:9000, http://localhost:9000",
        "HTTP://Pay.Example.COM/V1, http://pay.example.com/V1",
        "http://host:80, http://host",
        "https://host, https://host",
        "HTTPS://Host:443/v1, https://host/v1",
        "https://host:80, https://host:80",
        "http://host/, http://host",
        "http://my_service:1, http://my_service:1",
        "http://127.0.0.1:8080, http://127.0.0.1:8080",
        "http://[2001:DB8::1]:8080/a, http://[2001:db8::1]:8080/a",
        "http://host/a%2Fb/c;v=1, http://host/a%2Fb/c;v=1"
    })
    void readsAUrl(String text, String shown) throws Exception {
        assertThat(Addresses.url(text)).hasToString(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "host",
                "host:80",
                "//host",
                "http:",
                "http:/host",
                "http://",
                "http:///a",
                "http://:80",
                "http://host:",
                "http://host:0",
                "http://host:65536",
                "http://host:080",
                "http://host:8a",
                "http://a b",
                "http://a..b",
                "http://-a",
                "http://a-",
                "http://.a",
                "http://a.",
                "http://999.1.1.1",
                "http://1.2.3",
                "http://01.2.3.4",
                "http://[::1",
                "http://::1",
                "http://[host]",
                "http://[::1]x",
                "http://[fe80::1%eth0]",
                "http://[1:2]",
                "http://user@host",
                "http://user:pass@host",
                "http://host?x=1",
                "http://host/#f",
                "http://host/a/",
                "http://host//a",
                "http://host/a//b",
                "http://host/./a",
                "http://host/a/..",
                "http://host/%2e%2E/a",
                "http://host/a b",
                "http://host/%zz",
                "http://host/%2",
                "http://host/\u00e9",
                "http://h\u00f6st",
                "ftp://host",
                "unix:///a",
                "http://host\\a",
                "http://host/a\n",
                "http://host\n",
                "1http://host"
            })
    void refusesAnyOtherUrl(String text) {
        assertThatThrownBy(() -> Addresses.url(text)).isInstanceOf(Type.Mismatch.class);
    }

    @ParameterizedTest
    @CsvSource({"A.Example, a.example", "a:80, a", "a:8080, a:8080", "[::1]:8080, [::1]:8080", "10.0.0.1, 10.0.0.1"})
    void readsAHost(String text, String shown) throws Exception {
        assertThat(Addresses.hostField(text)).isEqualTo(shown);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "http://a", "a/b", "a:0", "a:b", "::1", "*.a", "a,b", "a:80:80"})
    void refusesAnyOtherHost(String text) {
        assertThatThrownBy(() -> Addresses.hostField(text)).isInstanceOf(Type.Mismatch.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "0.0.0.0", "::", "::1", "localhost", "pod-0.svc"})
    void readsAListenHost(String text) throws Exception {
        assertThat(Addresses.host(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*", "[::1]", "127.0.0.1:80", "a b", ":::", "12345::"})
    void refusesAnyOtherListenHost(String text) {
        assertThatThrownBy(() -> Addresses.host(text)).isInstanceOf(Type.Mismatch.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pay.example.com", "localhost", "10.example"})
    void readsAServerName(String text) throws Exception {
        assertThat(Addresses.serverName(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10.0.0.1", "::1", "[::1]", "pay.example.com:443", "*.example.com", "pay.example.com."})
    void refusesAnyOtherServerName(String text) {
        assertThatThrownBy(() -> Addresses.serverName(text)).isInstanceOf(Type.Mismatch.class);
    }
}
