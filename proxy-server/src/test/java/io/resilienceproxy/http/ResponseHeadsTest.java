package io.resilienceproxy.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.HttpResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseHeadsTest {

    private static @Nullable ResponseHead read(String head, boolean toHead) {
        ResponseDecoder decoder = new ResponseDecoder();
        decoder.expectAnswerTo(toHead);
        try (Decoding decoding = new Decoding(decoder)) {
            return ResponseHeads.read(decoding.read(head + "\r\n\r\n").first(HttpResponse.class), toHead);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'HTTP/1.1 200 OK\r\nContent-Length: 5', false, 5, true",
        "'HTTP/1.1 200 OK\r\nContent-Length: 5, 5', false, 5, true",
        "'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close', false, 5, false",
        "'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked', false, -2, true",
        "'HTTP/1.1 200 OK', false, -3, false",
        "'HTTP/1.0 200 OK\r\nContent-Length: 5', false, 5, false",
        "'HTTP/1.0 200 OK\r\nContent-Length: 5\r\nConnection: Keep-Alive', false, 5, true",
        "'HTTP/1.1 200 OK\r\nContent-Length: 5', true, -1, true",
        "'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked', true, -1, true",
        "'HTTP/1.1 204 No Content\r\nContent-Length: 5', false, -1, true",
        "'HTTP/1.1 304 Not Modified\r\nContent-Length: 5', false, -1, true",
        "'HTTP/1.1 103 Early Hints\r\nContent-Length: 5', false, -1, true",
        "'HTTP/1.1 599 x\r\nContent-Length: 0', false, 0, true"
    })
    void decidesTheFramingAndWhetherTheConnectionStays(String head, boolean toHead, long length, boolean keepAlive) {
        ResponseHead read = read(head, toHead);
        assertThat(read).isNotNull();
        assertThat(read.bodyLength()).isEqualTo(length);
        assertThat(read.keepAlive()).isEqualTo(keepAlive);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 600 x",
                "HTTP/1.1 099 x",
                "HTTP/1.1 20 x",
                "HTTP/1.2 200 OK",
                "HTTP/2.0 200 OK",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6",
                "HTTP/1.1 200 OK\r\nX y: 1"
            })
    void refusesWhatMayNotBeRelayed(String head) {
        assertThat(read(head, false)).isNull();
    }
}
