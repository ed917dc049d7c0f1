package io.resilienceproxy.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What Netty's request decoder does by default and the proxy has to stand. Not wishes: an upgrade that changes one of
 * these must be noticed, because code here was written around it.
 */
class NettyRequestCodecFactsTest {

    private final EmbeddedChannel channel = new EmbeddedChannel(new HttpRequestDecoder());
    private final List<Object> decoded = new ArrayList<>();

    @AfterEach
    void release() {
        decoded.forEach(ReferenceCountUtil::release);
        channel.finishAndReleaseAll();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Transfer-Encoding : chunked\r\n",
                "Content-Length: 3\r\nContent-Length: 4\r\n",
                "Content-Length: +3\r\n",
                "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
                "X-A: a\0b\r\n"
            })
    void aMalformedHeadIsAnOrdinaryRequestThatFailedAndNeverEnds(String fields) {
        decode("POST / HTTP/1.1\r\nHost: a\r\n" + fields + "X-Behind: 1\r\n\r\n");

        assertThat(decoded).hasSize(1);
        HttpRequest request = (HttpRequest) decoded.get(0);
        assertThat(request.decoderResult().isFailure()).isTrue();
        assertThat(request).isNotInstanceOf(LastHttpContent.class);
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void aMalformedHeadHoldsTheFieldsThatWereReadBeforeTheFault() {
        decode("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\nX-Behind: 1\r\n\r\n");

        HttpRequest request = (HttpRequest) decoded.get(0);
        assertThat(request.uri()).isEqualTo("/");
        assertThat(request.headers().get("Host")).isEqualTo("a");
        assertThat(request.headers().contains("X-Behind")).isFalse();
    }

    @Test
    void transferEncodingInAnHttp10RequestFails() {
        decode("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");

        assertThat(decoded).hasSize(1);
        assertThat(((HttpObject) decoded.get(0)).decoderResult().isFailure()).isTrue();
    }

    @Test
    void everythingBehindAMalformedHeadIsSwallowedSilently() {
        decode("GET / HTTP/1.1\r\nHost : a\r\n\r\n");

        decode("GET /good HTTP/1.1\r\nHost: a\r\n\r\n");

        assertThat(decoded).hasSize(1);
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void aRequestLineThatIsTooLongBecomesAFakeRequest() {
        decode("GET /" + "x".repeat(5000) + " HTTP/1.1\r\nHost: a\r\n\r\n");

        FullHttpRequest request = (FullHttpRequest) decoded.get(0);
        assertThat(request.uri()).isEqualTo("/bad-request");
        assertThat(request.protocolVersion().text()).isEqualTo("HTTP/1.0");
        assertThat(request.decoderResult().isFailure()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0x5\r\nhello\r\n", "+5\r\nhello\r\n", "-1\r\n", "\r\nhello\r\n", "5\r\nhelloXX", "zz\r\n"})
    void aMalformedChunkEndsTheBodyWithALastContentThatFailed(String chunk) {
        decode("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n" + chunk);

        assertThat(((HttpContent) decoded.get(1)).content().toString(StandardCharsets.US_ASCII))
                .isEqualTo("first");
        LastHttpContent last = (LastHttpContent) decoded.get(decoded.size() - 1);
        assertThat(last.decoderResult().isFailure()).isTrue();
        assertThat(channel.isOpen()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 10\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"})
    void anEndOfInputInTheMiddleOfABodySaysNothing(String rest) {
        decode("POST / HTTP/1.1\r\nHost: a\r\n" + rest);
        channel.finish();
        take();

        assertThat(decoded).noneMatch(LastHttpContent.class::isInstance);
        assertThat(decoded)
                .noneMatch(part -> ((HttpObject) part).decoderResult().isFailure());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                "GET / HTTP/9.9\r\nHost: a\r\n\r\n",
                "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /a#fragment HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET http://b/c HTTP/1.1\r\nHost: a\r\n\r\n"
            })
    void acceptsWhatAProxyMustRefuseOrTreatByItself(String request) {
        decode(request);

        assertThat(decoded)
                .hasSize(2)
                .allMatch(part -> ((HttpObject) part).decoderResult().isSuccess());
        assertThat(decoded.get(1)).isInstanceOf(LastHttpContent.class);
    }

    @Test
    void takesAListOfCodingsThatEndsInChunkedForChunked() {
        decode("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n");

        assertThat(decoded)
                .hasSize(2)
                .allMatch(part -> ((HttpObject) part).decoderResult().isSuccess());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"//evil.test/x", "/a//b", "/a%2Fb", "/a/../b", "/a;x", "/a?", "/a?q=%zz&x=[1]|{2}", "/a\\b"})
    void passesTheTargetUnchanged(String target) {
        decode("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");

        assertThat(((HttpRequest) decoded.get(0)).uri()).isEqualTo(target);
    }

    private void decode(String wire) {
        channel.writeInbound(Unpooled.copiedBuffer(wire, StandardCharsets.ISO_8859_1));
        take();
    }

    private void take() {
        for (Object part = channel.readInbound(); part != null; part = channel.readInbound()) {
            decoded.add(part);
        }
    }
}
