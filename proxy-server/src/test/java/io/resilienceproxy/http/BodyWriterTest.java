package io.resilienceproxy.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BodyWriterTest {

    private final EmbeddedChannel channel = new EmbeddedChannel();

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private static ByteBuf piece(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
    }

    private String written() {
        channel.flush();
        StringBuilder all = new StringBuilder();
        ByteBuf part;
        while ((part = channel.readOutbound()) != null) {
            all.append(Decoding.text(part));
        }
        return all.toString();
    }

    @Test
    void wrapsEachPieceInAChunk() {
        BodyWriter.writePiece(channel, piece("hello"), true);
        BodyWriter.writePiece(channel, piece("x".repeat(26)), true);
        BodyWriter.writeEnd(channel, null, EmptyHttpHeaders.INSTANCE, true);
        assertThat(written()).isEqualTo("5\r\nhello\r\n1a\r\n" + "x".repeat(26) + "\r\n0\r\n\r\n");
    }

    @Test
    void writesABodyOfKnownLengthAsItIs() {
        BodyWriter.writePiece(channel, piece("hello"), false);
        BodyWriter.writeEnd(channel, null, EmptyHttpHeaders.INSTANCE, false);
        assertThat(written()).isEqualTo("hello");
    }

    @Test
    void neverWritesAnEmptyPieceWhichWouldBeTheLastChunk() {
        ByteBuf empty = Unpooled.buffer(1);
        BodyWriter.writePiece(channel, empty, true);
        assertThat(written()).isEmpty();
        assertThat(empty.refCnt()).isZero();
    }

    @Test
    void flushesNothing() {
        BodyWriter.writePiece(channel, piece("hello"), true);
        ByteBuf early = channel.readOutbound();
        assertThat(early).isNull();
        assertThat(written()).isNotEmpty();
    }
}
