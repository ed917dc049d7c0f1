package io.resilienceproxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import io.resilienceproxy.http.BodyLength;
import io.resilienceproxy.http.RequestHead;
import io.resilienceproxy.http.ResponseHead;
import io.resilienceproxy.loop.LazyTimer;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A caller and its one request; checks that it is answered or cut off exactly once. */
final class FakeExchange implements Downstream {

    private final Chaos chaos;
    private final LazyTimer timer;
    private @Nullable Exchange exchange;
    private boolean owesBody;
    private boolean reading = true;
    private boolean writable = true;
    private boolean headSent;
    private boolean left;
    private @Nullable Tunnel tunnel;
    private int endings;

    FakeExchange(Chaos chaos, RequestHead head) {
        this.chaos = chaos;
        this.owesBody = head.bodyLength() != BodyLength.ABSENT;
        this.timer = new LazyTimer(chaos.loop().eventLoop(), chaos.clock, () -> {
            if (exchange != null && !exchange.isDone()) {
                exchange.onTimer();
            }
        });
    }

    void start(Exchange begun) {
        exchange = begun;
        begun.start();
    }

    boolean isOver() {
        boolean over = exchange != null && exchange.isDone();
        if (over) {
            timer.close();
        }
        return over;
    }

    /** Sends, leaves, stops or resumes taking what it is sent. */
    void callerActs() {
        Exchange current = exchange;
        if (current == null || current.isDone()) {
            return;
        }
        int what = chaos.random.nextInt(100);
        if (what < 50 && owesBody && reading) {
            sendMore(current);
        } else if (what < 58) {
            left = tunnel == null;
            current.onCallerLeft();
        } else if (what < 62 && tunnel == null) {
            current.onCallerFault(Reason.BAD_REQUEST);
        } else {
            writable = chaos.chance(70);
            if (tunnel == null) {
                current.onDownstreamWritability();
            } else {
                tunnel.onCallerWritability();
            }
        }
    }

    private void sendMore(Exchange current) {
        if (tunnel != null) {
            tunnel.onCallerBytes(chaos.buffer(1 + chaos.random.nextInt(700)));
            tunnel.onCallerReadComplete();
            return;
        }
        if (chaos.chance(60)) {
            current.onRequestBody(chaos.buffer(1 + chaos.random.nextInt(700)));
        }
        if (chaos.chance(50)) {
            owesBody = false;
            current.onRequestEnd(null);
        }
        current.onReadComplete();
    }

    /** What is still on its way when the answer has been given. */
    void sendsTooLate() {
        if (tunnel != null) {
            tunnel.onCallerBytes(chaos.buffer(10));
            tunnel.onCallerReadComplete();
        } else if (exchange != null && owesBody) {
            exchange.onRequestBody(chaos.buffer(10));
            exchange.onRequestEnd(null);
        }
    }

    /** Sends more as soon as it may. */
    boolean isPaused() {
        return owesBody && !reading;
    }

    void assertEndedOnce() {
        assertThat(endings)
                .as("endings of a caller that %s", left ? "left" : "stayed")
                .isEqualTo(left ? 0 : 1);
    }

    private void ended() {
        assertThat(left).as("told after it left").isFalse();
        endings++;
    }

    @Override
    public Executor eventLoop() {
        return chaos.loop().eventLoop();
    }

    @Override
    public int loopIndex() {
        return 0;
    }

    @Override
    public LazyTimer timer() {
        return timer;
    }

    @Override
    public boolean isDelivering() {
        return false;
    }

    @Override
    public AsciiString date() {
        return AsciiString.EMPTY_STRING;
    }

    @Override
    public void informational(ResponseHead head) {
        assertThat(headSent).isFalse();
    }

    @Override
    public void head(ResponseHead head, @Nullable AsciiString proxyStatus) {
        assertThat(headSent).as("second head").isFalse();
        headSent = true;
    }

    @Override
    public void upgrade(ResponseHead head, Tunnel through) {
        head(head, null);
        owesBody = true;
        tunnel = through;
    }

    @Override
    public long tunnelIdleNanos() {
        return TimeUnit.SECONDS.toNanos(1);
    }

    @Override
    public void body(ByteBuf piece) {
        assertThat(headSent).isTrue();
        piece.release();
    }

    @Override
    public void end(@Nullable HttpHeaders trailers) {
        assertThat(headSent).isTrue();
        ended();
    }

    @Override
    public void answer(LocalAnswer answer) {
        assertThat(headSent).as("an answer of the proxy's own behind a head").isFalse();
        headSent = true;
        ended();
    }

    @Override
    public void abort() {
        assertThat(headSent).isTrue();
        ended();
    }

    @Override
    public void flush() {}

    @Override
    public boolean isWritable() {
        return writable;
    }

    @Override
    public void reading(boolean on) {
        reading = on;
    }
}
