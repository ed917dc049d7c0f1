package io.resilienceproxy.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpObject;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What a decoder makes of bytes. Released by {@link #close()}. */
final class Decoding implements AutoCloseable {

    private final EmbeddedChannel channel;
    private final List<Object> messages = new ArrayList<>();

    Decoding(ChannelHandler decoder) {
        channel = new EmbeddedChannel(decoder);
    }

    /** One octet per character, in one read. */
    Decoding read(String latin1) {
        ByteBuf bytes = Unpooled.copiedBuffer(latin1, StandardCharsets.ISO_8859_1);
        channel.writeInbound(bytes);
        Object message;
        while ((message = channel.readInbound()) != null) {
            messages.add(message);
        }
        return this;
    }

    /** Each byte in a read of its own. */
    Decoding readByteByByte(String latin1) {
        for (char c : latin1.toCharArray()) {
            read(String.valueOf(c));
        }
        return this;
    }

    <T extends HttpObject> T first(Class<T> type) {
        return messages.stream()
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElseThrow();
    }

    static String text(ByteBuf written) {
        String text = written.toString(StandardCharsets.ISO_8859_1);
        written.release();
        return text;
    }

    @Override
    public void close() {
        messages.forEach(ReferenceCountUtil::release);
        channel.finishAndReleaseAll();
    }
}
