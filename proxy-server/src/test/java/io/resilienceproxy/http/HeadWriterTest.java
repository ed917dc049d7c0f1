package io.resilienceproxy.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import io.resilienceproxy.http.HeadWriter.ConnectionOption;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeadWriterTest {

    private static String request(RequestHead head, int prefixLength, String basePath) {
        ByteBuf out = Unpooled.buffer();
        RequestRewrite rewrite = new RequestRewrite(
                new AsciiString(basePath), new AsciiString("up.test:8080"), new AsciiString("X-Remaining"));
        HeadWriter.writeRequest(out, head, prefixLength, rewrite, 1234, 2);
        return Decoding.text(out);
    }

    private static RequestHead head(String target, HttpHeaders fields, int minorVersion, long bodyLength) {
        return new RequestHead("PUT", target, null, fields, minorVersion, bodyLength, true, false, false);
    }

    @Test
    void writesWhatIsTheRoutesInPlaceOfWhatTheCallerSent() {
        HttpHeaders fields = new DefaultHttpHeaders()
                .add("hOsT", "caller.test")
                .add("X-A", "1")
                .add("x-ATTEMPT", "7")
                .add("content-length", "5")
                .add("Connection", "x-hop")
                .add("X-Hop", "1")
                .add("x-REMAINING", "9999")
                .add("Via", "1.1 before")
                .add("x-a", "2");
        assertThat(request(head("/up/x?q", fields, 1, 5), 3, "/v1"))
                .isEqualTo(
                        "PUT /v1/x?q HTTP/1.1\r\nHost: up.test:8080\r\nX-A: 1\r\nVia: 1.1 before\r\nx-a: 2\r\n"
                                + "Content-Length: 5\r\nX-Remaining: 1234\r\nX-Attempt: 2\r\nVia: 1.1 resilience-proxy\r\n\r\n");
    }

    @ParameterizedTest
    @CsvSource({
        "-1, ''",
        "0, 'Content-Length: 0\r\n'",
        "9223372036854775807, 'Content-Length: 9223372036854775807\r\n'",
        "-2, 'Transfer-Encoding: chunked\r\n'"
    })
    void writesTheFramingOnce(long bodyLength, String framing) {
        assertThat(request(head("/", new DefaultHttpHeaders(), 0, bodyLength), 0, ""))
                .isEqualTo("PUT / HTTP/1.1\r\nHost: up.test:8080\r\n" + framing
                        + "X-Remaining: 1234\r\nX-Attempt: 2\r\nVia: 1.0 resilience-proxy\r\n\r\n");
    }

    @ParameterizedTest
    @CsvSource({
        "/up, 3, '', /",
        "/up?q, 3, '', /?q",
        "/up, 3, /v1, /v1",
        "/up//x, 3, /v1, /v1//x",
        "*, 0, /v1, *",
        "/x, 0, /v1, /v1/x"
    })
    void putsTheBasePathInThePlaceOfThePrefix(String target, int prefix, String base, String written) {
        assertThat(request(head(target, new DefaultHttpHeaders(), 1, BodyLength.ABSENT), prefix, base))
                .startsWith("PUT " + written + " HTTP/1.1\r\n");
    }

    private static String response(
            ResponseHead head, long length, ConnectionOption option, @Nullable AsciiString status) {
        ByteBuf out = Unpooled.buffer();
        HeadWriter.writeResponse(out, head, length, option, status);
        return Decoding.text(out);
    }

    @Test
    void writesAResponseInTheFramingOfItsCaller() {
        HttpHeaders fields = new DefaultHttpHeaders()
                .add("Transfer-Encoding", "chunked")
                .add("Keep-Alive", "timeout=1")
                .add("X-U", new AsciiString(new byte[] {'S', (byte) 0xc3, (byte) 0xa3}, false));
        ResponseHead head = new ResponseHead(200, "Fine", fields, BodyLength.CHUNKED, true);
        assertThat(response(head, BodyLength.CHUNKED, ConnectionOption.NONE, null))
                .isEqualTo("HTTP/1.1 200 Fine\r\nX-U: S\u00c3\u00a3\r\nTransfer-Encoding: chunked\r\n\r\n");
        assertThat(response(head, BodyLength.UNTIL_CLOSE, ConnectionOption.CLOSE, new AsciiString("P: q\r\n")))
                .isEqualTo("HTTP/1.1 200 Fine\r\nX-U: S\u00c3\u00a3\r\nConnection: close\r\nP: q\r\n\r\n");
    }

    @ParameterizedTest
    @CsvSource({"200, true", "304, true", "204, false", "103, false"})
    void keepsTheLengthOfABodyThatDoesNotFollow(int status, boolean kept) {
        ResponseHead head = new ResponseHead(
                status, "", new DefaultHttpHeaders().add("Content-Length", "7"), BodyLength.ABSENT, true);
        assertThat(response(head, BodyLength.ABSENT, ConnectionOption.NONE, null)
                        .contains("Content-Length: 7"))
                .isEqualTo(kept);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 9, 10, 99, 100, 1234567890, Long.MAX_VALUE})
    void writesNumbersInDecimal(long number) {
        ByteBuf out = Unpooled.buffer();
        HeadWriter.writeDecimal(out, number);
        assertThat(Decoding.text(out)).isEqualTo(Long.toString(number));
    }

    @Test
    void writesTheLastChunkWithTheTrailersThatMayBeThere() {
        HttpHeaders trailers = new DefaultHttpHeaders()
                .add("X-Sum", "1")
                .add("Content-Length", "1")
                .add("Transfer-Encoding", "x")
                .add("Host", "x")
                .add("Trailer", "x")
                .add("Authorization", "x")
                .add("Set-Cookie", "x")
                .add("X-Hop", "1");
        ByteBuf out = Unpooled.buffer();
        HeadWriter.writeLastChunk(out, trailers, new DefaultHttpHeaders().add("Connection", "x-hop"));
        assertThat(Decoding.text(out)).isEqualTo("0\r\nX-Sum: 1\r\n\r\n");
    }
}
