package io.resilienceproxy.listener;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.resilienceproxy.exchange.Exchange;
import io.resilienceproxy.exchange.LastHop;
import io.resilienceproxy.exchange.LocalAnswer;
import io.resilienceproxy.exchange.Reason;
import io.resilienceproxy.exchange.Tunnel;
import io.resilienceproxy.http.MaxForwards;
import io.resilienceproxy.http.RequestDecoder;
import io.resilienceproxy.http.RequestFault;
import io.resilienceproxy.http.RequestHead;
import io.resilienceproxy.http.RequestHeads;
import io.resilienceproxy.loop.LazyTimer;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One caller's connection: its requests one after the other, each to an exchange of its own; what is sent ahead waits,
 * undecoded but for what one read brought, and the socket is not read meanwhile.
 *
 * <p>A caller that finishes its output has left. Its FIN cannot be told from that of a close until something is written and
 * answered with a reset, and callers that give up close; so an exchange that is at work is cancelled, as nginx and Envoy
 * do, and its permits return at once, where HAProxy would go on for the few callers that only half-close. No RFC asks a
 * server to answer behind a FIN. What is answered already is still delivered, if the caller takes it within the idle timeout.
 *
 * <p>On its event loop. Longer than other files because it is one state machine: which of its requests is being received,
 * answered or waiting is decided in one place.
 */
final class InboundConnection extends ChannelInboundHandlerAdapter {

    private static final Logger LOG = LoggerFactory.getLogger(InboundConnection.class);
    private static final String NO_UPSTREAM =
            "Neither the port, the authority, Host nor the first path segment names an upstream.";

    private final InboundContext context;
    private final DataListener listener;
    private final Channel channel;
    private final RequestDecoder decoder;
    private final RequestHeads heads;
    private final Http1Downstream downstream;
    private final LazyTimer exchangeTimer;
    private final InboundTimer timer;
    private final Drain drain = new Drain();
    private final Queue<Object> ahead = new ArrayDeque<>(0);

    private boolean counted;
    private boolean delivering;
    private @Nullable Exchange exchange;

    /** The body of the current request is still coming. */
    private boolean receiving;

    /** Its answer is not written yet. */
    private boolean answering;

    private boolean advancing;
    private boolean exchangeReads = true;
    private boolean closing;
    private boolean tunnel;

    InboundConnection(
            InboundContext context, DataListener listener, int loopIndex, Channel channel, RequestDecoder decoder) {
        this.context = context;
        this.listener = listener;
        this.channel = channel;
        this.decoder = decoder;
        this.heads = new RequestHeads(context.limits().maxHeadBytes());
        this.exchangeTimer = new LazyTimer(channel.eventLoop(), context.clock(), this::onExchangeTimer);
        this.timer = new InboundTimer(channel, context, listener, this::onTimeout);
        this.downstream = new Http1Downstream(channel, this, context, loopIndex, exchangeTimer, drain);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        counted = context.tryOpenConnection();
        if (counted) {
            timer.idleFromNow();
            return;
        }
        refuse(Reason.TOO_MANY_CONNECTIONS, "The proxy has as many connections as it may have.");
    }

    boolean isEnding() {
        return listener.isEnding();
    }

    boolean isDelivering() {
        return delivering;
    }

    /** Whether what is left of the current request can be read within bounds, should its answer come first. */
    boolean canReachNextRequest() {
        return !receiving || drain.isBounded();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        delivering = true;
        if (closing) {
            ReferenceCountUtil.release(message);
        } else if (!ahead.isEmpty() || message instanceof HttpRequest && (answering || receiving)) {
            ahead.add(message);
            updateReading();
        } else {
            receive(message);
        }
    }

    private void receive(Object message) {
        if (message instanceof HttpRequest request) {
            receiveHead(request);
        } else if (message instanceof HttpContent content) {
            receiveContent(content);
        }
    }

    private void receiveHead(HttpRequest request) {
        RequestHead head = heads.read(request);
        if (head == null) {
            ReferenceCountUtil.release(request);
            RequestFault fault = heads.fault();
            refuse(Reason.of(fault.kind()), fault.detail());
            return;
        }
        receiving = true;
        answering(true);
        drain.begin(head);
        exchangeReads = true;
        timer.busy();
        downstream.begin(head);
        if (head.webSocket()) {
            decoder.hold();
            updateReading();
        }
        if (MaxForwards.endsHere(head)) {
            downstream.answer(LastHop.answer(head));
            return;
        }
        exchange = listener.dispatcher().dispatch(head, listener.port(), downstream);
        if (exchange != null) {
            exchange.start();
            return;
        }
        Reason reason = head.authority() == null ? Reason.NO_ROUTE : Reason.MISDIRECTED;
        context.traffic().onRefused(reason);
        downstream.answer(LocalAnswer.unrouted(reason, NO_UPSTREAM, false));
    }

    /** Answers a request that no exchange can take, and ends the connection: where the next one begins is not known. */
    private void refuse(Reason reason, String detail) {
        context.traffic().onRefused(reason);
        receiving = true;
        answering(true);
        downstream.beginUnreadable();
        downstream.answer(LocalAnswer.unrouted(reason, detail, true));
    }

    private void receiveContent(HttpContent content) {
        if (content.decoderResult().isFailure()) {
            content.release();
            onMalformedBody();
            return;
        }
        boolean last = content instanceof LastHttpContent;
        receiving = !last;
        if (exchange == null) {
            drain(content);
        } else if (content.content().isReadable()) {
            exchange.onRequestBody(content.content());
        } else {
            content.release();
        }
        if (last && exchange != null) {
            exchange.onRequestEnd(((LastHttpContent) content).trailingHeaders());
        }
        if (last && !answering) {
            next();
        }
    }

    private void drain(HttpContent content) {
        int bytes = content.content().readableBytes();
        content.release();
        if (!drain.take(bytes)) {
            closeWhenFlushed();
        }
    }

    private void onMalformedBody() {
        if (exchange != null) {
            exchange.onCallerFault(Reason.BAD_REQUEST);
        } else {
            closeWhenFlushed();
        }
    }

    /** The connection leaves HTTP; what the caller has sent ahead is the first that goes through. It stays in flight. */
    void becomeTunnel(Tunnel through) {
        tunnel = true;
        String mine = channel.pipeline().context(this).name();
        channel.pipeline().addBefore(mine, null, new InboundTunnel(this, through));
        channel.pipeline().remove(decoder);
        exchangeReads(true);
    }

    /** Nothing more that arrives is of use. */
    boolean isClosing() {
        return closing;
    }

    /** The upstream did not agree to leave HTTP: what was held back is the next request. */
    private void resumeDecoding() {
        boolean decoding = delivering;
        try {
            decoder.resume(channel.pipeline().context(decoder), decoding);
        } catch (Exception e) {
            channel.close();
        }
        if (!decoding) {
            onDelivered();
        }
    }

    /** The response of the current request is written. */
    void onResponseWritten(boolean close) {
        exchange = null;
        answering(false);
        exchangeReads = true;
        if (close) {
            closeWhenFlushed();
            return;
        }
        channel.flush();
        if (receiving) {
            timer.drainFromNow();
            updateReading();
        } else {
            next();
        }
    }

    private void answering(boolean now) {
        if (now != answering) {
            answering = now;
            if (now) {
                context.onRequestBegun();
            } else {
                context.onRequestEnded();
            }
        }
    }

    /** A loop, not a recursion: a thousand requests that are refused at once must not be a thousand frames deep. */
    private void next() {
        if (advancing) {
            return;
        }
        advancing = true;
        timer.idleFromNow();
        while (!closing && !ahead.isEmpty() && (receiving || !answering)) {
            receive(ahead.remove());
        }
        advancing = false;
        if (!delivering && exchange != null) {
            exchange.onReadComplete();
        }
        if (decoder.isHeld() && !answering && !closing) {
            resumeDecoding();
        }
        updateReading();
    }

    void exchangeReads(boolean on) {
        exchangeReads = on;
        updateReading();
    }

    private void updateReading() {
        channel.config().setAutoRead(closing || exchangeReads && ahead.isEmpty() && (tunnel || !decoder.isHeld()));
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        onDelivered();
    }

    private void onDelivered() {
        delivering = false;
        timer.headBegun(decoder.isInsideHead() && ahead.isEmpty());
        if (exchange != null) {
            exchange.onReadComplete();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            onCallerFinished();
        } else if (closing || answering || receiving) {
            return;
        } else if (event == listener) {
            // The listener ends: between two requests there is a moment left for one that is on its way.
            timer.idleFromNow();
        } else if (event == DataListeners.FINISH) {
            closeWhenFlushed();
        }
    }

    private void onCallerFinished() {
        if (exchange != null || closing && ((DuplexChannel) channel).isOutputShutdown()) {
            channel.close();
        } else if (!closing) {
            receiving = false;
            timer.busy();
            closeWhenFlushed();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        timer.writable(channel.isWritable());
        if (exchange != null) {
            exchange.onDownstreamWritability();
        }
    }

    private void onExchangeTimer() {
        if (exchange != null) {
            exchange.onTimer();
        }
    }

    private void onTimeout(InboundTimer.Expired expired) {
        switch (expired) {
            case IDLE -> closeWhenFlushed();
            case LINGER, DRAIN -> channel.close();
            case HEAD -> {
                if (answering) {
                    downstream.closeAfterThis();
                } else {
                    refuse(Reason.REQUEST_TIMEOUT, "The request head did not arrive in time.");
                }
            }
            case WRITE -> {
                if (exchange != null) {
                    exchange.onCallerLeft();
                }
                channel.close();
            }
        }
    }

    /**
     * Ends the connection behind what is written: half-closed first, because a close with unread bytes is a reset, which can
     * take the answer with it (RFC 9112 section 9.6). The caller's close, or a moment, ends it.
     */
    void closeWhenFlushed() {
        if (closing) {
            return;
        }
        closing = true;
        dropAhead();
        exchange = null;
        answering(false);
        timer.ending();
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(flushed -> finishOutput((DuplexChannel) channel));
        updateReading();
    }

    private void finishOutput(DuplexChannel duplex) {
        if (duplex.isInputShutdown()) {
            duplex.close();
        } else if (duplex.isActive()) {
            duplex.shutdownOutput();
            timer.lingerFromNow();
        }
    }

    private void dropAhead() {
        Object message;
        while ((message = ahead.poll()) != null) {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        closing = true;
        dropAhead();
        if (exchange != null) {
            exchange.onCallerLeft();
            exchange = null;
        }
        answering(false);
        exchangeTimer.close();
        timer.close();
        if (counted) {
            counted = false;
            context.onConnectionClosed();
        }
    }

    /** A reset by the caller, or a bug: the connection cannot be trusted any more. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.error("caller's connection {} is closed by an error of the proxy", channel, cause);
        }
        channel.close();
    }
}
