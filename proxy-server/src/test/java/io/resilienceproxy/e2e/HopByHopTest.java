package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.UpstreamRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What belongs to one hop ends there, in both directions (RFC 9110 section 7.6.1). */
class HopByHopTest extends WireTest {

    @Test
    void fieldsOfTheCallersConnectionDoNotReachTheUpstream() {
        start(Scripts.ok());
        RawClient client = connect();
        client.sendRequest(
                "GET",
                "/up/x",
                "a",
                "Connection: X-Hop , keep-alive",
                "connection: x-two,,",
                "X-Hop: 1",
                "x-hop: 2",
                "X-Two: 1",
                "Keep-Alive: timeout=5",
                "Proxy-Connection: keep-alive",
                "TE: gzip",
                "HTTP2-Settings: AAMAAABk",
                "X-End: kept");
        assertThat(client.readResponse("GET").status()).isEqualTo(200);

        assertThat(names(upstream.awaitRequest()))
                .containsExactlyInAnyOrder("host", "x-end", "x-request-deadline-ms", "x-attempt", "via");
    }

    private static java.util.List<String> names(UpstreamRequest request) {
        return request.fields().stream()
                .map(field -> field.name().toLowerCase(java.util.Locale.ROOT))
                .toList();
    }

    @Test
    void closeOfTheCallerEndsItsConnectionOnly() {
        start(Scripts.ok());
        for (int i = 0; i < 3; i++) {
            RawClient client = connect();
            RawResponse response = client.get("/up/x", "a", "Connection: Close");
            assertThat(response.field("Connection")).isEqualTo("close");
            client.readToEnd();
        }
        assertThat(upstream.connections()).hasSize(1);
        assertThat(upstream.requests())
                .allSatisfy(request -> assertThat(request.field("Connection")).isNull());
    }

    @Test
    void closeOfTheUpstreamEndsItsConnectionOnly() {
        start(Scripts.status(200, "ok", "Connection: close"));
        RawClient client = connect();
        for (int i = 0; i < 3; i++) {
            RawResponse response = client.get("/up/x", "a");
            assertThat(response.field("Connection")).isNull();
        }
        assertThat(upstream.connections()).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length",
                "Host",
                "content-length, host",
                "Transfer-Encoding",
                "Via",
                "X-Request-Deadline-Ms"
            })
    void whatFramingAndRoutingWereDecidedByCannotBeNominatedAway(String nominated) {
        start(Scripts.ok());
        RawClient client = connect();
        client.send("POST /up/x HTTP/1.1\r\nHost: a\r\nConnection: " + nominated
                + "\r\nX-Request-Deadline-Ms: 5000\r\nContent-Length: 5\r\n\r\nhello");
        assertThat(client.readResponse("POST").status()).isEqualTo(200);

        UpstreamRequest request = upstream.awaitRequest();
        assertThat(request.bodyText()).isEqualTo("hello");
        assertThat(request.field("Host")).isEqualTo("127.0.0.1:" + upstream.port());
        assertThat(request.fieldValues("Via")).containsExactly("1.1 resilience-proxy");
        assertThat(Integer.parseInt(request.field("X-Request-Deadline-Ms"))).isBetween(1, 5000);
    }

    @Test
    void fieldsOfTheUpstreamsConnectionDoNotReachTheCaller() {
        start(Scripts.status(
                200,
                "ok",
                "Connection: X-Hop, Content-Length",
                "Connection: x-two",
                "X-Hop: 1",
                "X-Two: 1",
                "Keep-Alive: timeout=9",
                "Proxy-Connection: keep-alive",
                "Upgrade: h2c",
                "X-End: 1"));
        RawResponse response = connect().get("/up/x", "a");

        assertThat(response.bodyText()).isEqualTo("ok");
        assertThat(response.fields())
                .extracting(field -> field.name())
                .containsExactly("X-End", "Date", "Content-Length");
    }

    @Test
    void theCallersDeadlineIsRewrittenNotRepeated() {
        start(Scripts.ok());
        connect().get("/up/x", "a", "x-request-deadline-ms: 3000");

        assertThat(upstream.awaitRequest().fieldValues("X-Request-Deadline-Ms")).hasSize(1);
    }
}
