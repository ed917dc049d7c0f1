package io.resilienceproxy.listener;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import io.resilienceproxy.exchange.Downstream;
import io.resilienceproxy.exchange.LocalAnswer;
import io.resilienceproxy.exchange.Tunnel;
import io.resilienceproxy.http.BodyLength;
import io.resilienceproxy.http.BodyWriter;
import io.resilienceproxy.http.HeadWriter;
import io.resilienceproxy.http.HeadWriter.ConnectionOption;
import io.resilienceproxy.http.RequestHead;
import io.resilienceproxy.http.ResponseHead;
import io.resilienceproxy.loop.LazyTimer;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Writes the responses of one HTTP/1 connection, one after the other, in the framing that its caller understands.
 *
 * <p>On the connection's event loop.
 */
final class Http1Downstream implements Downstream {

    private static final int HEAD_BUFFER_BYTES = 512;
    private static final AsciiString DATE = AsciiString.cached("Date");
    private static final AsciiString RETRY_AFTER = AsciiString.cached("Retry-After: ");

    private final Channel channel;
    private final InboundConnection connection;
    private final InboundContext context;
    private final int loopIndex;
    private final LazyTimer timer;
    private final Drain drain;

    private boolean http11 = true;
    private boolean toHead;
    private boolean wantsKeepAlive;
    private boolean chunked;
    private HttpHeaders fields = EmptyHttpHeaders.INSTANCE;
    private boolean untilClose;
    private boolean close;

    Http1Downstream(
            Channel channel,
            InboundConnection connection,
            InboundContext context,
            int loopIndex,
            LazyTimer timer,
            Drain drain) {
        this.channel = channel;
        this.connection = connection;
        this.context = context;
        this.loopIndex = loopIndex;
        this.timer = timer;
        this.drain = drain;
    }

    /** The request that is answered next. */
    void begin(RequestHead head) {
        http11 = head.isHttp11();
        toHead = head.isHead();
        wantsKeepAlive = head.keepAlive();
    }

    /** The current request is the last one on this connection. */
    void closeAfterThis() {
        wantsKeepAlive = false;
        close = true;
    }

    /** A request that could not be read is answered next, as the last one. */
    void beginUnreadable() {
        http11 = true;
        toHead = false;
        wantsKeepAlive = false;
    }

    @Override
    public Executor eventLoop() {
        return channel.eventLoop();
    }

    @Override
    public int loopIndex() {
        return loopIndex;
    }

    @Override
    public LazyTimer timer() {
        return timer;
    }

    @Override
    public boolean isDelivering() {
        return connection.isDelivering();
    }

    @Override
    public AsciiString date() {
        return context.date();
    }

    @Override
    public void informational(ResponseHead head) {
        ByteBuf out = channel.alloc().buffer(HEAD_BUFFER_BYTES);
        HeadWriter.writeResponse(out, head, BodyLength.ABSENT, ConnectionOption.NONE, null);
        channel.writeAndFlush(out, channel.voidPromise());
        if (head.status() == 100) {
            drain.onContinue();
        }
    }

    @Override
    public void head(ResponseHead head, @Nullable AsciiString proxyStatus) {
        long length = head.bodyLength();
        if (!BodyLength.isKnown(length) && length != BodyLength.ABSENT) {
            length = http11 ? BodyLength.CHUNKED : BodyLength.UNTIL_CLOSE;
        }
        chunked = length == BodyLength.CHUNKED;
        fields = head.fields();
        untilClose = length == BodyLength.UNTIL_CLOSE;
        close = untilClose || mustClose();
        ByteBuf out = channel.alloc().buffer(HEAD_BUFFER_BYTES);
        HeadWriter.writeResponse(out, head, length, connectionOption(), proxyStatus);
        channel.write(out, channel.voidPromise());
    }

    @Override
    public void upgrade(ResponseHead head, Tunnel tunnel) {
        chunked = false;
        close = true;
        ByteBuf out = channel.alloc().buffer(HEAD_BUFFER_BYTES);
        HeadWriter.writeResponse(out, head, BodyLength.ABSENT, ConnectionOption.UPGRADE, null);
        channel.writeAndFlush(out, channel.voidPromise());
        connection.becomeTunnel(tunnel);
    }

    @Override
    public long tunnelIdleNanos() {
        return context.limits().idleNanos();
    }

    private boolean mustClose() {
        return !wantsKeepAlive || context.isDraining() || connection.isEnding() || !connection.canReachNextRequest();
    }

    private ConnectionOption connectionOption() {
        if (close) {
            return ConnectionOption.CLOSE;
        }
        return http11 ? ConnectionOption.NONE : ConnectionOption.KEEP_ALIVE;
    }

    @Override
    public void body(ByteBuf piece) {
        BodyWriter.writePiece(channel, piece, chunked);
    }

    @Override
    public void end(@Nullable HttpHeaders trailers) {
        BodyWriter.writeEnd(channel, trailers, fields, chunked);
        fields = EmptyHttpHeaders.INSTANCE;
        connection.onResponseWritten(close);
    }

    @Override
    public void answer(LocalAnswer answer) {
        close = answer.close() || mustClose();
        ByteBuf out = channel.alloc().buffer(HEAD_BUFFER_BYTES + answer.body().length);
        HeadWriter.writeStatusLine(out, answer.status(), answer.title());
        HeadWriter.writeField(out, DATE, context.date());
        HeadWriter.writeText(out, answer.fields());
        HeadWriter.writeFraming(out, answer.bodyLength());
        HeadWriter.writeText(out, answer.proxyStatus());
        if (answer.retryAfterSeconds() != LocalAnswer.NO_RETRY_AFTER) {
            HeadWriter.writeText(out, RETRY_AFTER);
            HeadWriter.writeDecimal(out, answer.retryAfterSeconds());
            HeadWriter.endHead(out);
        }
        HeadWriter.writeConnection(out, connectionOption());
        HeadWriter.endHead(out);
        if (!toHead) {
            out.writeBytes(answer.body());
        }
        channel.write(out, channel.voidPromise());
        connection.onResponseWritten(close);
    }

    /**
     * Where only the end of the connection would end the body, it must not end in order: a reset is the one way to say
     * that something is missing.
     */
    @Override
    public void abort() {
        if (untilClose) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            channel.close();
        } else {
            connection.closeWhenFlushed();
        }
    }

    @Override
    public void flush() {
        channel.flush();
    }

    @Override
    public boolean isWritable() {
        return channel.isWritable();
    }

    @Override
    public void reading(boolean on) {
        connection.exchangeReads(on);
    }
}
