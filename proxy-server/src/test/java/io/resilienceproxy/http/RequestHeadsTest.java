package io.resilienceproxy.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.codec.http.HttpRequest;
import io.resilienceproxy.http.RequestFault.Kind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestHeadsTest {

    private static final int LIMIT = 1024;

    private final RequestHeads heads = new RequestHeads(LIMIT);

    private @Nullable RequestHead read(String request) {
        try (Decoding decoding = new Decoding(new RequestDecoder(LIMIT))) {
            return heads.read(decoding.read(request).first(HttpRequest.class));
        }
    }

    private RequestHead readGet(String target, String fields) {
        RequestHead head = read("GET " + target + " HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n");
        assertThat(head).isNotNull();
        return head;
    }

    @ParameterizedTest
    @CsvSource({
        "/x?q, /x?q,",
        "//evil.test/x, //evil.test/x,",
        "http://App.Test:8080/x?q, /x?q, app.test:8080",
        "http://app.test, /, app.test",
        "http://app.test?q, /?q, app.test",
        "HTTP://[::1]:80/x, /x, [::1]:80"
    })
    void splitsAnAbsoluteTarget(String sent, String target, @Nullable String authority) {
        RequestHead head = readGet(sent, "");
        assertThat(head.target()).isEqualTo(target);
        assertThat(head.authority()).isEqualTo(authority);
    }

    @Test
    void takesAnAbsoluteTargetWithoutAPathForTheWholeServerWhereOptionsAsk() {
        RequestHead head = read("OPTIONS http://app.test HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(head).isNotNull();
        assertThat(head.target()).isEqualTo("*");
    }

    @Test
    void knowsTheFraming() {
        assertThat(readGet("/", "").bodyLength()).isEqualTo(BodyLength.ABSENT);
        assertThat(readGet("/", "Content-Length: 0\r\n").bodyLength()).isZero();
        assertThat(readGet("/", "Content-Length: 9223372036854775807\r\n").bodyLength())
                .isEqualTo(Long.MAX_VALUE);
        assertThat(readGet("/", "Transfer-Encoding: CHUNKED\r\n").bodyLength()).isEqualTo(BodyLength.CHUNKED);
    }

    @ParameterizedTest
    @CsvSource({
        "1.1, '', true",
        "1.1, close, false",
        "1.1, 'x, CLOSE', false",
        "1.1, keep-alive, true",
        "1.0, '', false",
        "1.0, Keep-Alive, true",
        "1.0, 'keep-alive, close', false"
    })
    void knowsWhetherTheConnectionStays(String version, String connection, boolean stays) {
        RequestHead head = read("GET / HTTP/" + version + "\r\nHost: a\r\nConnection: " + connection + "\r\n\r\n");
        assertThat(head).isNotNull();
        assertThat(head.keepAlive()).isEqualTo(stays);
    }

    @Test
    void ignoresTheExpectationOfAnHttp10Caller() {
        assertThat(readGet("/", "Expect: 100-Continue\r\n").expectsContinue()).isTrue();
        RequestHead head = read("GET / HTTP/1.0\r\nExpect: 100-continue\r\n\r\n");
        assertThat(head).isNotNull();
        assertThat(head.expectsContinue()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "'GET / HTTP/1.1\r\n\r\n', BAD_REQUEST",
        "'GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n', BAD_REQUEST",
        "'GET / HTTP/1.1\r\nHost: a@b\r\n\r\n', BAD_REQUEST",
        "'GET x HTTP/1.1\r\nHost: a\r\n\r\n', BAD_REQUEST",
        "'GET * HTTP/1.1\r\nHost: a\r\n\r\n', BAD_REQUEST",
        "'GET /#f HTTP/1.1\r\nHost: a\r\n\r\n', BAD_REQUEST",
        "'GET https://a/ HTTP/1.1\r\nHost: a\r\n\r\n', BAD_REQUEST",
        "'GET http:/// HTTP/1.1\r\nHost: a\r\n\r\n', BAD_REQUEST",
        "'G/T / HTTP/1.1\r\nHost: a\r\n\r\n', BAD_REQUEST",
        "'GET / HTTP/1.1\r\nHost: a\r\nX : 1\r\n\r\n', BAD_REQUEST",
        "'GET  / HTTP/1.1\r\nHost: a\r\n\r\n', BAD_REQUEST",
        "'GET / HTTP/2.0\r\nHost: a\r\n\r\n', VERSION_NOT_SUPPORTED",
        "'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', NOT_IMPLEMENTED",
        "'GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n', NOT_IMPLEMENTED",
        "'GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n', EXPECTATION_FAILED"
    })
    void refuses(String request, Kind kind) {
        assertThat(read(request)).isNull();
        assertThat(heads.fault().kind()).isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource({"1025, 0, TARGET_TOO_LONG", "0, 1025, HEADERS_TOO_LARGE", "600, 600, HEADERS_TOO_LARGE"})
    void refusesWhatIsTooLarge(int target, int value, Kind kind) {
        assertThat(read("GET /" + "x".repeat(target) + " HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(value) + "\r\n\r\n"))
                .isNull();
        assertThat(heads.fault().kind()).isEqualTo(kind);
    }

    @Test
    void neverRepeatsBytesOfTheRequestInItsFault() {
        assertThat(read("GET / HTTP/1.1\r\nHost: a\r\nX<script>: 1\r\n\r\n")).isNull();
        assertThat(heads.fault().detail()).doesNotContain("script");
    }

    @Test
    void hasNoFaultAfterAGoodRequest() {
        assertThat(read("GET / HTTP/1.1\r\n\r\n")).isNull();
        readGet("/", "");
        assertThatThrownBy(heads::fault).isInstanceOf(IllegalStateException.class);
    }
}
