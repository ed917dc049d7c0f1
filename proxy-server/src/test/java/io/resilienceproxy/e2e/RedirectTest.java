package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.testkit.FreePort;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import org.junit.jupiter.api.Test;

/** Redirects and cookies of an upstream lead back through the proxy. */
class RedirectTest extends WireTest {

    private static final ScriptedUpstream.Script REDIRECTS = (request, reply) -> reply.respond(
            302,
            "",
            "Location: http://" + request.field("Host") + "/next?x=%2F",
            "Content-Location: /here",
            "Set-Cookie: a=1; Path=/; HttpOnly",
            "Set-Cookie: b=2; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Path=/deep");

    @Test
    void leadsBackToThePrefixThatTheCallerUsed() {
        start(REDIRECTS);
        RawClient client = connect();
        String host = "localhost:" + proxy.port();
        RawResponse response = client.get("/up/start", host);

        assertThat(response.field("Location")).isEqualTo("http://" + host + "/up/next?x=%2F");
        assertThat(response.field("Content-Location")).isEqualTo("/up/here");
        assertThat(response.fieldValues("Set-Cookie"))
                .containsExactly(
                        "a=1; Path=/up; HttpOnly", "b=2; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Path=/up/deep");
        client.get("/up/next?x=%2F", host);
        assertThat(upstream.requests().get(1).target()).isEqualTo("/next?x=%2F");
    }

    @Test
    void leadsBackToADedicatedPort() {
        int port = FreePort.find();
        start(REDIRECTS, "listen-port: " + port);
        try (RawClient client = RawClient.connect(port)) {
            RawResponse response = client.get("/start", "localhost:" + port);

            assertThat(response.field("Location")).isEqualTo("http://localhost:" + port + "/next?x=%2F");
            assertThat(response.field("Content-Location")).isEqualTo("/here");
            assertThat(response.fieldValues("Set-Cookie").get(0)).isEqualTo("a=1; Path=/; HttpOnly");
        }
    }

    @Test
    void keepsTheUpstreamsNameForACallerThatAddressesItByName() {
        start(REDIRECTS);
        RawResponse response = connect().get(upstream.url() + "/start", "whatever");

        assertThat(response.field("Location")).isEqualTo(upstream.url() + "/next?x=%2F");
    }

    @Test
    void leavesARedirectToElsewhereByteForByte() {
        String elsewhere = "https://login.example.com/a/../b?back=http://127.0.0.1/%zz";
        start((request, reply) -> reply.respond(303, "", "Location: " + elsewhere));

        assertThat(connect().get("/up/x", "localhost").field("Location")).isEqualTo(elsewhere);
    }
}
