package io.resilienceproxy.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Netty's response decoder and encoder do by default, as {@link NettyRequestCodecFactsTest} for requests. */
class NettyResponseCodecFactsTest {

    private final List<Object> decoded = new ArrayList<>();
    private EmbeddedChannel channel = new EmbeddedChannel(new HttpResponseDecoder());

    @AfterEach
    void release() {
        decoded.forEach(ReferenceCountUtil::release);
        channel.finishAndReleaseAll();
    }

    @Test
    void anInterimResponseIsFollowedByALastContentOfItsOwn() {
        decode("HTTP/1.1 103 Early Hints\r\nLink: </s>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");

        assertThat(decoded).hasSize(4);
        assertThat(((HttpResponse) decoded.get(0)).status().code()).isEqualTo(103);
        assertThat(decoded.get(1)).isInstanceOf(LastHttpContent.class);
        assertThat(((HttpResponse) decoded.get(2)).status().code()).isEqualTo(200);
        assertThat(decoded.get(3)).isInstanceOf(LastHttpContent.class);
    }

    @Test
    void aResponseThatNothingAskedForIsANormalResponse() {
        channel = new EmbeddedChannel(new HttpClientCodec());

        decode("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");

        assertThat(((HttpResponse) decoded.get(0)).decoderResult().isSuccess()).isTrue();
    }

    @Test
    void garbageBehindAResponseIsGluedToTheFrontOfTheNext() {
        decode("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokGARBAGE");
        assertThat(decoded).hasSize(2);

        decode("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");

        HttpResponse next = (HttpResponse) decoded.get(2);
        assertThat(next.decoderResult().isFailure()).isTrue();
        assertThat(next.status().code()).isEqualTo(999);
        assertThat(next.protocolVersion().text()).isEqualTo("HTTP/1.0");
    }

    @Test
    void bytesBehindA101AreRaw() {
        channel = new EmbeddedChannel(new HttpClientCodec());

        decode("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nraw");

        assertThat(decoded.get(decoded.size() - 1)).isInstanceOf(ByteBuf.class);
    }

    @ParameterizedTest
    @CsvSource({"HEAD, 200", "GET, 304"})
    void transferEncodingIsRemovedFromAResponseWithoutABody(String method, int status) {
        channel = new EmbeddedChannel(new HttpClientCodec());
        channel.writeOutbound(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.valueOf(method), "/"));
        channel.writeOutbound(LastHttpContent.EMPTY_LAST_CONTENT);
        channel.releaseOutbound();

        decode("HTTP/1.1 " + status + " X\r\nTransfer-Encoding: chunked\r\n\r\n");

        assertThat(((HttpResponse) decoded.get(0)).headers().contains("Transfer-Encoding"))
                .isFalse();
        assertThat(decoded.get(1)).isInstanceOf(LastHttpContent.class);
    }

    @Test
    void aFieldNameIsCutAtItsFirstSpace() {
        decode("HTTP/1.1 200 OK\r\nTransfer-Encoding x: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n");

        assertThat(((HttpResponse) decoded.get(0)).headers().get("Transfer-Encoding"))
                .isEqualTo("chunked");
        assertThat(decoded.get(decoded.size() - 1)).isInstanceOf(LastHttpContent.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"099", "600", "1000"})
    void aStatusThatDoesNotExistIsASuccess(String status) {
        decode("HTTP/1.1 " + status + " X\r\nContent-Length: 0\r\n\r\n");

        HttpResponse response = (HttpResponse) decoded.get(0);
        assertThat(response.decoderResult().isSuccess()).isTrue();
        assertThat(response.status().code()).isEqualTo(Integer.parseInt(status));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 10\r\n\r\nhello", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"})
    void anEndOfInputInTheMiddleOfABodySaysNothing(String rest) {
        decode("HTTP/1.1 200 OK\r\n" + rest);
        channel.finish();
        take();

        assertThat(decoded).noneMatch(LastHttpContent.class::isInstance);
        assertThat(decoded)
                .noneMatch(part -> ((HttpObject) part).decoderResult().isFailure());
    }

    @Test
    void aMalformedChunkEndsTheBodyWithALastContentThatFailed() {
        decode("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0x5\r\n");

        LastHttpContent last = (LastHttpContent) decoded.get(decoded.size() - 1);
        assertThat(last.decoderResult().isFailure()).isTrue();
    }

    @Test
    void aResponseWithoutLengthOrChunkingIsWrittenWithoutFraming() {
        channel = new EmbeddedChannel(new HttpResponseEncoder());
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.copiedBuffer("body", StandardCharsets.US_ASCII));

        assertThat(write(response)).isEqualTo("HTTP/1.1 200 OK\r\n\r\nbody");
    }

    @Test
    void anHttp10CallerIsSentChunksWhereTheFieldIsSet() {
        channel = new EmbeddedChannel(new HttpServerCodec());
        decode("GET / HTTP/1.0\r\n\r\n");
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.headers().set("Transfer-Encoding", "chunked");

        String wire =
                write(response, new DefaultLastHttpContent(Unpooled.copiedBuffer("body", StandardCharsets.US_ASCII)));

        assertThat(wire).startsWith("HTTP/1.1 200 OK").endsWith("\r\n\r\n4\r\nbody\r\n0\r\n\r\n");
    }

    @Test
    void moreThanTheDeclaredLengthIsWrittenAsItIs() {
        channel = new EmbeddedChannel(new HttpResponseEncoder());
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.headers().set("Content-Length", 10);

        String wire = write(
                response,
                new DefaultHttpContent(Unpooled.copiedBuffer("fifteen octets!", StandardCharsets.US_ASCII)),
                LastHttpContent.EMPTY_LAST_CONTENT);

        assertThat(wire).endsWith("\r\n\r\nfifteen octets!");
    }

    @Test
    void aCharacterAboveOneOctetIsWrittenAsAQuestionMarkButOctetsSurvive() {
        channel = new EmbeddedChannel(new HttpResponseEncoder());
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.headers().set("X-A", "\u0416").set("X-B", "S\u00c3\u00a3o").set("Content-Length", 0);

        assertThat(write(response, LastHttpContent.EMPTY_LAST_CONTENT))
                .contains("X-A: ?\r\n")
                .contains("X-B: S\u00c3\u00a3o\r\n");
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

    private String write(Object... parts) {
        channel.writeOutbound(parts);
        StringBuilder wire = new StringBuilder();
        for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
            wire.append(part.toString(StandardCharsets.ISO_8859_1));
            part.release();
        }
        return wire.toString();
    }
}
