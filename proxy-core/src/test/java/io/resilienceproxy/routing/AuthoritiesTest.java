package io.resilienceproxy.routing;

import static io.resilienceproxy.routing.Tables.table;
import static io.resilienceproxy.routing.Tables.upstream;
import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.policy.UpstreamUrl;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthoritiesTest {

    @ParameterizedTest
    @ValueSource(strings = {"a.example.com", "A.Example.COM", "a.example.com:80", "a.example.com:"})
    void anUrlStandsForItsAuthorityWithAndWithoutTheDefaultPort(String authority) {
        assertThat(find(authority, upstream("a", "a.example.com", 80))).isEqualTo("a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a.example.com:8080",
                "a.example.com:443",
                "example.com",
                "xa.example.com",
                "a.example.com.",
                ":80",
                ":",
                ""
            })
    void anUrlStandsForNoOtherAuthority(String authority) {
        assertThat(find(authority, upstream("a", "a.example.com", 80))).isNull();
    }

    @Test
    void anUrlWithAPortStandsForThatPortOnly() {
        UpstreamPolicy a = upstream("a", "a.example.com", 8080);
        assertThat(find("a.example.com:8080", a)).isEqualTo("a");
        assertThat(find("a.example.com", a)).isNull();
        assertThat(find("a.example.com:80", a)).isNull();
    }

    @Test
    void anHttpsUrlStandsForItsOwnDefaultPort() {
        UpstreamPolicy a =
                upstream("a", new UpstreamUrl("https", "a.example.com", 443, ""), OptionalInt.empty(), List.of());
        assertThat(find("a.example.com", a)).isEqualTo("a");
        assertThat(find("a.example.com:443", a)).isEqualTo("a");
        assertThat(find("a.example.com:80", a)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.internal", "a.internal:80", "a.internal:8443", "A.INTERNAL:1", "a.internal:"})
    void aListedHostStandsForEveryPort(String authority) {
        assertThat(find(authority, upstream("a", "10.0.0.1", 80, "a.internal"))).isEqualTo("a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a.internal:http", "a.internal:80:80", "a.internal:-1", "user@a.internal", "a.internal/:80"})
    void aListedHostDoesNotStandForWhatIsNoPort(String authority) {
        assertThat(find(authority, upstream("a", "10.0.0.1", 80, "a.internal"))).isNull();
    }

    @Test
    void aListedHostWithAPortStandsForThatPortOnly() {
        UpstreamPolicy a = upstream("a", "10.0.0.1", 80, "a.internal:8443");
        assertThat(find("a.internal:8443", a)).isEqualTo("a");
        assertThat(find("a.internal", a)).isNull();
        assertThat(find("a.internal:844", a)).isNull();
    }

    @Test
    void aListedHostWithPort80AlsoStandsForThePlainHost() {
        UpstreamPolicy a = upstream("a", "10.0.0.1", 80, "a.internal:80");
        assertThat(find("a.internal", a)).isEqualTo("a");
        assertThat(find("a.internal:81", a)).isNull();
    }

    @Test
    void theListedPortIsCloserThanTheListedHost() {
        UpstreamPolicy a = upstream("a", "10.0.0.1", 80, "x.internal");
        UpstreamPolicy b = upstream("b", "10.0.0.2", 80, "x.internal:8443", "x.internal:80");
        for (UpstreamPolicy[] order : new UpstreamPolicy[][] {{a, b}, {b, a}}) {
            assertThat(find("x.internal:8443", order)).isEqualTo("b");
            assertThat(find("x.internal:80", order)).isEqualTo("b");
            assertThat(find("x.internal", order)).isEqualTo("a");
            assertThat(find("x.internal:8080", order)).isEqualTo("a");
        }
    }

    @Test
    void aSharedUrlStandsForNeither() {
        UpstreamPolicy a = upstream("a", "x.example.com", 80);
        UpstreamPolicy b = upstream("b", "x.example.com", 80);
        assertThat(find("x.example.com", a, b)).isNull();
        assertThat(find("x.example.com:80", a, b)).isNull();
    }

    @Test
    void aListedHostWinsOverUrlsOfTheSameAuthority() {
        UpstreamPolicy a = upstream("a", "x.example.com", 80);
        UpstreamPolicy b = upstream("b", "10.0.0.1", 80, "x.example.com");
        for (UpstreamPolicy[] order : new UpstreamPolicy[][] {{a, b}, {b, a}}) {
            assertThat(find("x.example.com", order)).isEqualTo("b");
            assertThat(find("x.example.com:80", order)).isEqualTo("b");
        }
        UpstreamPolicy sharer = upstream("c", "x.example.com", 80, "x.example.com");
        assertThat(find("x.example.com", a, sharer)).isEqualTo("c");
    }

    @Test
    void anUrlWithItsPortIsCloserThanAListedHost() {
        UpstreamPolicy a = upstream("a", "x.example.com", 8080);
        UpstreamPolicy b = upstream("b", "10.0.0.1", 80, "x.example.com");
        assertThat(find("x.example.com:8080", a, b)).isEqualTo("a");
        assertThat(find("x.example.com:8081", a, b)).isEqualTo("b");
        assertThat(find("x.example.com", a, b)).isEqualTo("b");
    }

    @Test
    void onItsOwnPortAnUpstreamTakesTheUrlThatItShares() {
        UpstreamUrl url = new UpstreamUrl("http", "x.example.com", 80, "");
        RouteTable table = table(
                upstream("a", url, OptionalInt.of(8501), List.of()),
                upstream("b", url, OptionalInt.empty(), List.of()));
        assertThat(table.match(8501, "X.example.com", null, "GET", "/")).isNotNull();
        assertThat(table.match(8501, "x.example.com:80", null, "GET", "/")).isNotNull();
        assertThat(table.match(8501, "x.example.com:81", null, "GET", "/")).isNull();
    }

    @Test
    void tellsThePortOfAnIpv6LiteralFromItsColons() {
        UpstreamPolicy a = upstream("a", "::1", 8080);
        UpstreamPolicy b = upstream("b", "10.0.0.1", 80, "[fd00::1]");
        UpstreamPolicy c = upstream("c", "10.0.0.2", 80, "[fd00::2]:8443");
        assertThat(find("[::1]:8080", a, b, c)).isEqualTo("a");
        assertThat(find("[::1]", a, b, c)).isNull();
        assertThat(find("[FD00::1]", a, b, c)).isEqualTo("b");
        assertThat(find("[fd00::1]:9", a, b, c)).isEqualTo("b");
        assertThat(find("[fd00::1", a, b, c)).isNull();
        assertThat(find("[fd00::2]:8443", a, b, c)).isEqualTo("c");
        assertThat(find("[fd00::2]", a, b, c)).isNull();
    }

    private static @Nullable String find(String authority, UpstreamPolicy... upstreams) {
        Upstream found = new Authorities(table(upstreams).upstreams()).find(authority);
        return found == null ? null : found.name();
    }
}
