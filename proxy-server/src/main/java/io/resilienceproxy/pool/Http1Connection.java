package io.resilienceproxy.pool;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.ChannelOutputShutdownException;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.resilienceproxy.http.BodyLength;
import io.resilienceproxy.http.BodyWriter;
import io.resilienceproxy.http.HeadWriter;
import io.resilienceproxy.http.RequestHead;
import io.resilienceproxy.http.RequestRewrite;
import io.resilienceproxy.http.ResponseDecoder;
import io.resilienceproxy.http.ResponseHead;
import io.resilienceproxy.http.ResponseHeads;
import io.resilienceproxy.outcome.FailureKind;
import io.resilienceproxy.tls.TlsFailure;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP/1.1 connection: one request at a time. It goes back to the pool only when the request and the response were
 * whole, the upstream means to keep it, and not one byte came beyond the response; anything readable while no answer is
 * due closes it, so that a stale answer can never become someone else's.
 */
final class Http1Connection extends ChannelInboundHandlerAdapter implements Connection {

    private static final Logger LOG = LoggerFactory.getLogger(Http1Connection.class);
    private static final int HEAD_BUFFER_BYTES = 512;

    /** More interim responses to one request than any real upstream sends. */
    private static final int MAX_INTERIM_HEADS = 100;

    private final Channel channel;
    private final LoopPool pool;
    private final Tenure tenure;
    private final ResponseDecoder decoder;

    private @Nullable ResponseHandler handler;
    private @Nullable ChannelFuture headWritten;
    private boolean mayHaveSent;
    private boolean chunkedRequest;
    private HttpHeaders requestFields = EmptyHttpHeaders.INSTANCE;
    private boolean toHead;
    private boolean asksForWebSocket;
    private boolean tunnel;
    private boolean requestEnded;
    private boolean anythingReceived;
    private boolean interim;
    private int interimHeads;
    private boolean headReceived;
    private boolean responseEnded;
    private boolean keepAlive;

    static void prepare(ChannelPipeline pipeline) {
        pipeline.addLast(new ResponseDecoder());
    }

    Http1Connection(Channel channel, LoopPool pool, Tenure tenure) {
        this.channel = channel;
        this.pool = pool;
        this.tenure = tenure;
        this.decoder = channel.pipeline().get(ResponseDecoder.class);
        channel.pipeline().addLast(this);
        channel.closeFuture().addListener(ignored -> {
            tenure.end();
            pool.onClosed(this);
        });
    }

    Tenure tenure() {
        return tenure;
    }

    boolean isUsable(long now) {
        return channel.isActive() && !tenure.isOver(now);
    }

    @Override
    public Endpoint endpoint() {
        return tenure.lane().endpoint;
    }

    void lease() {
        tenure.lease();
        mayHaveSent = false;
        requestEnded = false;
        anythingReceived = false;
        interim = false;
        interimHeads = 0;
        headReceived = false;
        responseEnded = false;
        headWritten = null;
    }

    void close() {
        handler = null;
        channel.close();
    }

    @Override
    public boolean isReused() {
        return tenure.hasBeenIdle();
    }

    @Override
    public void handler(ResponseHandler to) {
        handler = to;
    }

    @Override
    public void sendHead(
            RequestHead head, int prefixLength, RequestRewrite rewrite, long remainingMillis, int attempt) {
        toHead = head.isHead();
        asksForWebSocket = head.webSocket();
        decoder.expectAnswerTo(toHead);
        chunkedRequest = head.bodyLength() == BodyLength.CHUNKED;
        requestFields = head.fields();
        ByteBuf out = channel.alloc().buffer(HEAD_BUFFER_BYTES);
        HeadWriter.writeRequest(out, head, prefixLength, rewrite, remainingMillis, attempt);
        headWritten = channel.write(out);
    }

    @Override
    public void sendBody(ByteBuf piece) {
        BodyWriter.writePiece(channel, piece, chunkedRequest);
    }

    @Override
    public void sendEnd(@Nullable HttpHeaders trailers) {
        requestEnded = true;
        BodyWriter.writeEnd(channel, trailers, requestFields, chunkedRequest);
    }

    /**
     * The head goes out in one write on an empty socket buffer: where that very write failed, the kernel took nothing,
     * or over TLS a part of a record, which nobody can read.
     */
    @Override
    public void flush() {
        channel.flush();
        if (!mayHaveSent && headWritten != null) {
            mayHaveSent = !headWritten.isDone() || headWritten.isSuccess();
        }
    }

    @Override
    public boolean mayHaveSent() {
        // Also within a flush that fails behind the head.
        return mayHaveSent || headWritten != null && headWritten.isSuccess();
    }

    @Override
    public boolean isWritable() {
        return channel.isWritable();
    }

    @Override
    public void reading(boolean on) {
        channel.config().setAutoRead(on);
    }

    @Override
    public void release() {
        handler = null;
        requestFields = EmptyHttpHeaders.INSTANCE;
        if (tunnel) {
            channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
            return;
        }
        reading(true);
        tenure.rest(true);
        boolean whole = keepAlive && requestEnded && responseEnded && !decoder.hasBegunAnother();
        if (whole && isUsable(tenure.idleSinceNanos())) {
            pool.give(this);
        } else {
            channel.close();
        }
    }

    /** Waits among the idle for its first request. */
    void rest() {
        tenure.rest(false);
        pool.give(this);
    }

    /** TLS is not asked for its farewell, which would wait behind all that the upstream has not taken. */
    @Override
    public void abort() {
        handler = null;
        channel.pipeline().firstContext().close();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ResponseHandler to = handler;
        if (to == null || responseEnded) {
            ReferenceCountUtil.release(message);
            channel.close();
            return;
        }
        anythingReceived = true;
        if (tunnel && message instanceof ByteBuf raw) {
            to.onBody(raw);
            return;
        }
        if (message instanceof HttpResponse response && !receiveHead(to, response)) {
            ReferenceCountUtil.release(message);
            return;
        }
        if (message instanceof HttpContent content) {
            receiveContent(content);
        }
    }

    /** @return false when the message was refused */
    private boolean receiveHead(ResponseHandler to, HttpResponse response) {
        ResponseHead head = ResponseHeads.read(response, toHead);
        if (head != null && asksForWebSocket && head.isWebSocket()) {
            tunnel = true;
            interim = true;
            to.onUpgraded(head);
            return true;
        }
        if (head == null || head.status() == 101) {
            boolean cutShort = response.decoderResult().cause() instanceof PrematureChannelClosureException;
            fail(cutShort ? FailureKind.RESET : FailureKind.MALFORMED_RESPONSE);
            return false;
        }
        interim = head.isInformational();
        if (interim) {
            return receiveInterim(to, head);
        }
        headReceived = true;
        keepAlive = head.keepAlive();
        tenure.onHead(head.fields());
        endpoint().onAnswer();
        to.onHead(head);
        return true;
    }

    /** They pass by every back-pressure: their number is bounded instead. */
    private boolean receiveInterim(ResponseHandler to, ResponseHead head) {
        interimHeads++;
        if (interimHeads > MAX_INTERIM_HEADS) {
            fail(FailureKind.MALFORMED_RESPONSE);
            return false;
        }
        to.onInformational(head);
        return true;
    }

    private void receiveContent(HttpContent content) {
        if (content.decoderResult().isFailure()) {
            content.release();
            fail(FailureKind.TRUNCATED_RESPONSE);
            return;
        }
        boolean last = content instanceof LastHttpContent;
        if (interim) {
            content.release();
            interim = !last;
            return;
        }
        ResponseHandler to = handler;
        if (to == null) {
            content.release();
            return;
        }
        ByteBuf piece = content.content();
        if (piece.isReadable()) {
            to.onBody(piece);
        } else {
            content.release();
        }
        to = handler;
        if (last && to != null) {
            responseEnded = true;
            to.onEnd(((LastHttpContent) content).trailingHeaders());
        }
    }

    private void fail(FailureKind kind) {
        ResponseHandler to = handler;
        boolean keepAliveRace = isReused() && !anythingReceived;
        if (to != null && kind == FailureKind.RESET && !keepAliveRace) {
            pool.eject(endpoint());
        }
        close();
        if (to != null) {
            to.onFailure(kind, anythingReceived);
        }
    }

    /** An idle connection may be sent an empty line, but not the beginning of an answer that nothing asked for. */
    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (handler != null) {
            handler.onReadComplete();
        } else if (decoder.hasBegunAnother()) {
            channel.close();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (handler != null) {
            handler.onWritabilityChanged();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        ResponseHandler to = handler;
        if (tunnel && to != null) {
            to.onEnd(null);
            return;
        }
        fail(headReceived ? FailureKind.TRUNCATED_RESPONSE : FailureKind.RESET);
    }

    /**
     * A reset, or a bug below: either way nothing more can be trusted on this connection. A write that failed is no such end:
     * an upstream that refuses a request may close while it is still being sent, and its answer is there to be read.
     */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        boolean onlyWrite = cause instanceof ChannelOutputShutdownException || cause instanceof ClosedChannelException;
        if (onlyWrite && channel.isActive()) {
            return;
        }
        if (!(cause instanceof IOException)) {
            LOG.error("upstream connection {} is closed by an error of the proxy", channel, cause);
        }
        FailureKind kind = FailureKind.RESET;
        if (cause instanceof TlsFailure tls) {
            kind = tls.kind();
            if (tls.alert() != null && handler != null && !headReceived) {
                handler.onTlsAlert(tls.alert());
            }
        }
        fail(headReceived ? FailureKind.TRUNCATED_RESPONSE : kind);
    }
}
