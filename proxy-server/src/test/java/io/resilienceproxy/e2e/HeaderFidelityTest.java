package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.DateFormatter;
import io.resilienceproxy.testkit.Field;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.Scripts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields and bodies that end at the far side arrive as they were sent (RFC 9110 sections 5.3 and 5.5). */
class HeaderFidelityTest extends WireTest {

    private static final List<String> FIELDS = List.of(
            "X-A: 1",
            "X-B: z",
            "x-a: 2",
            "X-EMPTY:",
            "X-Tabs: \ta\tb  c\t ",
            "X-Utf: S\u00c3\u00a3o",
            "X-High: \u00ff\u0080",
            "X-A: 3, \"4,5\"",
            "Set-Cookie: a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT",
            "Set-Cookie: b=2; Expires=Thu, 10 Jun 2027 10:18:14 GMT",
            "X~!#$%&'*+.^_`|: token",
            "Cookie: a=1; b=\"2\"",
            "Authorization: Basic dTpw",
            "X-Forwarded-For: 10.0.0.1");

    private static final List<Field> ARRIVED = FIELDS.stream()
            .map(line -> new Field(
                    line.substring(0, line.indexOf(':')),
                    line.substring(line.indexOf(':') + 1).strip()))
            .toList();

    @Test
    void ofARequestReachTheUpstreamInOrder() {
        start(Scripts.ok());
        RawClient client = connect();
        client.sendRequest("GET", "/up/x", "a", FIELDS.toArray(String[]::new));
        assertThat(client.readResponse("GET").status()).isEqualTo(200);
        assertThat(upstream.awaitRequest().fields()).containsSubsequence(ARRIVED);
    }

    @Test
    void ofAResponseReachTheCallerInOrder() {
        start((request, reply) -> reply.raw("HTTP/1.1 299 Gr\u00c3\u00b6\u00dfe\tx\r\n" + String.join("\r\n", FIELDS)
                + "\r\nDate: Tue, 01 Jan 2030 00:00:00 GMT\r\nServer: s\r\nContent-Length: 0\r\n\r\n"));
        RawResponse response = connect().get("/up/x", "a");
        assertThat(response.reason()).isEqualTo("Gr\u00c3\u00b6\u00dfe\tx");
        assertThat(response.fields()).containsSubsequence(ARRIVED);
        assertThat(response.fieldValues("Date")).containsExactly("Tue, 01 Jan 2030 00:00:00 GMT");
        assertThat(response.fieldValues("Server")).containsExactly("s");
    }

    @Test
    void aResponseWithoutADateIsToldWhenItCame() {
        start(Scripts.ok());
        RawResponse response = connect().get("/up/x", "a");

        assertThat(response.fieldValues("Date"))
                .singleElement()
                .satisfies(date -> assertThat(DateFormatter.parseHttpDate(date))
                        .isCloseTo(new Date(), Duration.ofMinutes(1).toMillis()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "br", "zstd", "deflate"})
    void codedBodiesPassAsTheyAre(String coding) throws IOException {
        byte[] coded = zipped(1_000_000);
        start((request, reply) -> reply.raw("HTTP/1.1 200 OK\r\nContent-Encoding: " + coding + "\r\nContent-Length: "
                        + coded.length + "\r\n\r\n")
                .raw(coded));
        RawClient client = connect();
        client.send("POST /up/x HTTP/1.1\r\nHost: a\r\nContent-Encoding: " + coding + "\r\nContent-Length: "
                        + coded.length + "\r\n\r\n")
                .send(coded);
        RawResponse response = client.readResponse("POST");

        assertThat(response.body()).isEqualTo(coded);
        assertThat(response.field("Content-Encoding")).isEqualTo(coding);
        assertThat(upstream.awaitRequest().body()).isEqualTo(coded);
        assertThat(upstream.awaitRequest().field("Content-Encoding")).isEqualTo(coding);
        assertThat(upstream.awaitRequest().field("Accept-Encoding")).isNull();
    }

    private static byte[] zipped(int size) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
            zip.write("0".repeat(size).getBytes(StandardCharsets.US_ASCII));
        }
        return out.toByteArray();
    }
}
