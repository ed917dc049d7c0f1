package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.Scripts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How far an OPTIONS or a TRACE goes (RFC 9110 section 7.6.2). */
class MaxForwardsTest extends WireTest {

    private RawResponse send(RawClient client, String method, String... fields) {
        client.sendRequest(method, "/up/x", "a", fields);
        return client.readResponse(method);
    }

    @ParameterizedTest
    @CsvSource({"OPTIONS,1,0", "TRACE,10,9", "OPTIONS,007,6", "TRACE,99999999999999999999,999999998", "GET,0,0"})
    void theNextRecipientIsToldOneLess(String method, String received, String sent) {
        start(Scripts.ok());
        assertThat(send(connect(), method, "Max-Forwards: " + received).status())
                .isEqualTo(200);

        assertThat(upstream.awaitRequest().fieldValues("Max-Forwards")).containsExactly(sent);
    }

    @Test
    void aRetryIsNoFurtherHop() {
        start(Scripts.first(1, Scripts.status(503, ""), Scripts.ok()), "retry: {wait-duration: 1ms}");
        assertThat(send(connect(), "OPTIONS", "Max-Forwards: 5").status()).isEqualTo(200);

        assertThat(upstream.requests())
                .hasSize(2)
                .allSatisfy(request -> assertThat(request.field("Max-Forwards")).isEqualTo("4"));
    }

    @Test
    void anOptionsThatMayNotGoOnIsAnsweredHere() {
        start(Scripts.ok());
        RawClient client = connect();
        for (int i = 0; i < 2; i++) {
            RawResponse response = send(client, "OPTIONS", "Max-Forwards: 0");
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.field("Content-Length")).isEqualTo("0");
            assertThat(response.field("Proxy-Status")).isEqualTo("resilience-proxy");
        }
        client.send("OPTIONS /up/x HTTP/1.1\r\nHost: a\r\nMax-Forwards: 0\r\nContent-Length: 2\r\n\r\nhi");
        assertThat(client.readResponse("OPTIONS").status()).isEqualTo(200);
        assertThat(client.get("/up/x", "a").bodyText()).isEqualTo("ok");
        assertThat(upstream.requests()).hasSize(1);
    }

    @Test
    void aTraceThatMayNotGoOnGetsBackWhatArrivedWithoutCredentials() {
        start(Scripts.ok());
        RawResponse response = send(
                connect(),
                "TRACE",
                "Max-Forwards: 0",
                "Via: 1.1 before",
                "Authorization: Basic dTpw",
                "proxy-authorization: Basic dTpw",
                "Cookie: a=1");

        assertThat(response.status()).isEqualTo(200);
        assertThat(response.field("Content-Type")).isEqualTo("message/http");
        assertThat(response.bodyText())
                .isEqualTo("TRACE /up/x HTTP/1.1\r\nHost: a\r\nMax-Forwards: 0\r\nVia: 1.1 before\r\n\r\n");
        assertThat(upstream.connections()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "+1", "1.5", "", "1, 2", "1\r\nMax-Forwards: 1", "\u0661"})
    void whatIsNoNumberIsRefused(String value) {
        start(Scripts.ok());
        assertThat(send(connect(), "OPTIONS", "Max-Forwards: " + value).status())
                .isEqualTo(400);
        assertThat(upstream.connections()).isEmpty();
    }
}
