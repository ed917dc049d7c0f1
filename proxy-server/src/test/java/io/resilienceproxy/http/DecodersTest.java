package io.resilienceproxy.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecodersTest {

    private static boolean isGood(HttpMessage message) {
        return message.decoderResult().isSuccess();
    }

    @Test
    void tellsWhileAHeadIsOnItsWay() {
        RequestDecoder decoder = new RequestDecoder(1024);
        try (Decoding decoding = new Decoding(decoder)) {
            assertThat(decoder.isInsideHead()).isFalse();
            decoding.read("G");
            assertThat(decoder.isInsideHead()).isTrue();
            decoding.read("ET / HTTP/1.1\r\nHost: a\r\n");
            assertThat(decoder.isInsideHead()).isTrue();
            decoding.read("\r\n");
            assertThat(decoder.isInsideHead()).isFalse();
            decoding.read("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nh");
            assertThat(decoder.isInsideHead()).isFalse();
            decoding.read("iGET");
            assertThat(decoder.isInsideHead()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1", "PURGE-X * HTTP/1.0", "GET /x?y HTTP/9.9"})
    void takeARequestLineHoweverItIsCut(String line) {
        try (Decoding whole = new Decoding(new RequestDecoder(1024));
                Decoding cut = new Decoding(new RequestDecoder(1024))) {
            assertThat(isGood(whole.read(line + "\r\n\r\n").first(HttpRequest.class)))
                    .isTrue();
            assertThat(isGood(cut.readByteByByte(line + "\r\n\r\n").first(HttpRequest.class)))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET  / HTTP/1.1",
                "GET /  HTTP/1.1",
                "GET\t/ HTTP/1.1",
                "GET /\tHTTP/1.1",
                "GET / HTTP/1.1 ",
                " GET / HTTP/1.1",
                "GET /\u000bHTTP/1.1",
                "GET / http/1.1",
                "GET / HTTP/11",
                "GET / HTTP/1.1x",
                "GET / HTTP/1.",
                "GET /",
                "GET"
            })
    void refuseARequestLineThatIsNotSeparatedBySingleSpaces(String line) {
        try (Decoding decoding = new Decoding(new RequestDecoder(1024))) {
            assertThat(isGood(decoding.read(line + "\r\n\r\n").first(HttpRequest.class)))
                    .isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 200 OK", "HTTP/1.1 200 ", "HTTP/1.1 200", "HTTP/1.0 404 not  here "})
    void takeAStatusLine(String line) {
        try (Decoding decoding = new Decoding(new ResponseDecoder())) {
            assertThat(isGood(decoding.read(line + "\r\n\r\n").first(HttpResponse.class)))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1  200 OK",
                "HTTP/1.1\t200 OK",
                "HTTP/1.1 2000 OK",
                "HTTP/1.1 20 OK",
                "HTTP/1.1 2x0 OK",
                "http/1.1 200 OK",
                "ICY 200 OK"
            })
    void refuseAMalformedStatusLine(String line) {
        try (Decoding decoding = new Decoding(new ResponseDecoder())) {
            assertThat(isGood(decoding.read(line + "\r\n\r\n").first(HttpResponse.class)))
                    .isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"H", "HTTP/1.1 408 Request Timeout", "HTTP/1.1 408 x\r\n", "HTTP/1.1 408 x\r\nA: b\r\n"})
    void noticeTheBeginningOfAResponseBehindTheLast(String beginning) {
        ResponseDecoder decoder = new ResponseDecoder();
        try (Decoding decoding = new Decoding(decoder)) {
            decoding.read("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            assertThat(decoder.hasBegunAnother()).isFalse();
            decoding.read("\r\n");
            assertThat(decoder.hasBegunAnother()).isFalse();
            decoding.read(beginning);
            assertThat(decoder.hasBegunAnother()).isTrue();
        }
    }
}
