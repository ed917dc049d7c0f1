package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.testkit.FreePort;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.TestProxy;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a request goes only the policy says, and its path is nobody's to change (RFC 9112 section 3.2, RFC 9110 section 7.7). */
class HostAndTargetTest extends WireTest {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X: 1",
                "Host: a\r\nHost: a",
                "Host: a\r\nHost: b",
                "Host: a b",
                "Host: a@b",
                "Host: a/b",
                "Host: a, b",
                "Host: a:99999",
                "Host: a:b",
                "Host: [::1",
                "Host: a?b",
                "Host: a\\b",
                "Host:",
                "Host: ",
                "Host: \u00e4"
            })
    void refusesAMissingRepeatedOrMalformedHost(String fields) {
        start(Scripts.ok());
        RawClient client = connect();
        client.send("GET /up/x HTTP/1.1\r\n" + fields + "\r\n\r\n");
        assertThat(client.readResponse("GET").status()).isEqualTo(400);
        assertThat(client.isClosedByPeer(PATIENCE)).isTrue();
        assertThat(upstream.connections()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//evil.test/x",
                "/a//b",
                "/a%2Fb",
                "/a/../b",
                "/a/./b",
                "/a/%2e%2e/b",
                "/a;x",
                "/a?",
                "/a?q=%zz&x=[1]|{2}",
                "/%C3%A9",
                "/a\\b",
                "/a%0d%0aX:%20y",
                "/a%00",
                "/a?u=http://evil.test/",
                "/\"<>^`",
                "/"
            })
    void forwardsTheTargetByteForByte(String target) {
        start(Scripts.ok());
        assertThat(connect().get("/up" + target, "a").status()).isEqualTo(200);
        assertThat(upstream.awaitRequest().target()).isEqualTo(target);
    }

    @ParameterizedTest
    @CsvSource({"/up, /", "/up?q, /?q", "/up/, /"})
    void givesAnEmptyPathItsSlash(String target, String forwarded) {
        start(Scripts.ok());
        connect().get(target, "a");
        assertThat(upstream.awaitRequest().target()).isEqualTo(forwarded);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/up/\u00e9", "/up/\u0001", "/up/\u007f", "/up/#f", "up/x", "*", "\\up"})
    void refusesATargetThatIsNone(String target) {
        start(Scripts.ok());
        RawClient client = connect();
        client.send("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(client.readResponse("GET").status()).isEqualTo(400);
        assertThat(upstream.connections()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'http://127.0.0.1:{port}/x?q=1', /x?q=1",
        "'HTTP://127.0.0.1:{port}/x', /x",
        "'http://127.0.0.1:{port}', /",
        "'http://127.0.0.1:{port}?q', /?q",
        "'http://127.0.0.1:{port}//evil.test/x', //evil.test/x"
    })
    void sendsAnAbsoluteTargetOfItsOwnOnInOriginForm(String target, String forwarded) {
        start(Scripts.ok());
        RawResponse response = connect().get(target.replace("{port}", Integer.toString(upstream.port())), "evil.test");
        assertThat(response.status()).isEqualTo(200);
        assertThat(upstream.awaitRequest().target()).isEqualTo(forwarded);
        assertThat(upstream.awaitRequest().field("Host")).isEqualTo("127.0.0.1:" + upstream.port());
    }

    @ParameterizedTest
    @CsvSource({
        "http://evil.test/x, 421",
        "http://evil.test/up/x, 421",
        "http://127.0.0.1:1/up/x, 421",
        "https://evil.test/x, 400",
        "ftp://evil.test/x, 400",
        "http://u:p@evil.test/x, 400",
        "http:///up/x, 400",
        "http://[::1/x, 400"
    })
    void opensNoWayToAddressesThatThePolicyDoesNotName(String target, int status) {
        try (ScriptedUpstream evil = ScriptedUpstream.start(Scripts.ok())) {
            start(Scripts.ok());
            RawResponse response = connect().get(target, "127.0.0.1:" + evil.port());
            assertThat(response.status()).isEqualTo(status);
            assertThat(upstream.connections()).isEmpty();
            assertThat(evil.connections()).isEmpty();
        }
    }

    @Test
    void takesNoDestinationFromHost() {
        try (ScriptedUpstream evil = ScriptedUpstream.start(Scripts.ok())) {
            start(Scripts.ok());
            assertThat(connect().get("/x", "127.0.0.1:" + evil.port()).status()).isEqualTo(404);
            assertThat(connect().get("/up/x", "127.0.0.1:" + evil.port()).status())
                    .isEqualTo(200);
            assertThat(evil.connections()).isEmpty();
        }
    }

    @Test
    void opensNoTunnel() {
        start(Scripts.ok());
        RawClient client = connect();
        client.send("CONNECT 127.0.0.1:" + upstream.port() + " HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(client.readResponse("CONNECT").status()).isEqualTo(501);
        assertThat(client.isClosedByPeer(PATIENCE)).isTrue();
        assertThat(upstream.connections()).isEmpty();
    }

    @Test
    void passesAnUnknownMethodOn() {
        start(Scripts.ok());
        RawClient client = connect();
        client.sendRequest("PURGE-X", "/up/x", "a");
        assertThat(client.readResponse("PURGE-X").status()).isEqualTo(200);
        assertThat(upstream.awaitRequest().method()).isEqualTo("PURGE-X");
    }

    @Test
    void passesTheServerWideOptionsOnWhereTheListenerNamesTheServer() {
        int port = FreePort.find();
        start(Scripts.ok(), "listen-port: " + port);
        try (RawClient client = RawClient.connect(port)) {
            client.sendRequest("OPTIONS", "*", "a");
            assertThat(client.readResponse("OPTIONS").status()).isEqualTo(200);
        }
        assertThat(upstream.awaitRequest().target()).isEqualTo("*");
        RawClient shared = connect();
        shared.sendRequest("OPTIONS", "*", "a");
        assertThat(shared.readResponse("OPTIONS").status()).isEqualTo(404);
    }

    @Test
    void doesNotServeTheAdminListenersPages() {
        start(Scripts.ok());
        for (String path : new String[] {"/metrics", "/livez", "/readyz", "/health", "/quit"}) {
            assertThat(connect().get(path, "localhost").status()).isEqualTo(404);
        }
        assertThat(upstream.connections()).isEmpty();
    }

    @Test
    void putsTheBasePathInFrontOfEveryTarget() {
        start(Scripts.ok());
        try (TestProxy based = TestProxy.start("upstreams: {b: {url: \"" + upstream.url() + "/v1\"}}");
                RawClient client = based.connect()) {
            for (String path : new String[] {"", "/", "/x", "?q", "//x"}) {
                client.get("/b" + path, "a");
            }
        }
        assertThat(upstream.requests())
                .extracting(request -> request.target())
                .containsExactly("/v1", "/v1/", "/v1/x", "/v1?q", "/v1//x");
    }
}
