package io.resilienceproxy.listener;

import io.netty.channel.Channel;
import io.resilienceproxy.loop.LazyTimer;
import java.util.function.Consumer;

/**
 * What a caller may take its time for: to send a head, to send the next request, to send the rest of a request that was
 * answered already, to take the bytes of its answer, to close. Whichever ends first expires.
 *
 * <p>On the connection's event loop.
 */
final class InboundTimer {

    enum Expired {
        IDLE,
        HEAD,
        DRAIN,
        WRITE,
        LINGER
    }

    /** How long a closed connection still listens, so that the caller can read the answer before a reset reaches it. */
    private static final long LINGER_NANOS = 1_000_000_000L;

    /** Far enough that no difference to it overflows. */
    private static final long NEVER = Long.MAX_VALUE / 4;

    private final InboundContext context;
    private final DataListener listener;
    private final LazyTimer timer;
    private final Consumer<Expired> onExpired;
    private Expired waitingFor = Expired.IDLE;
    private final long originNanos;
    private long waitDue = NEVER;
    private long headDue = NEVER;
    private long writeDue = NEVER;

    InboundTimer(Channel channel, InboundContext context, DataListener listener, Consumer<Expired> onExpired) {
        this.context = context;
        this.listener = listener;
        this.onExpired = onExpired;
        this.originNanos = context.clock().nanoTime();
        this.timer = new LazyTimer(channel.eventLoop(), context.clock(), this::onDue);
    }

    void idleFromNow() {
        waitFor(Expired.IDLE, listener.idleNanos());
    }

    void drainFromNow() {
        waitFor(Expired.DRAIN, context.limits().headerNanos());
    }

    /** The last bytes are on their way out: from now on only their caller's slowness counts, and no head any more. */
    void ending() {
        busy();
        waitingFor = Expired.LINGER;
    }

    void lingerFromNow() {
        writeDue = NEVER;
        waitFor(Expired.LINGER, LINGER_NANOS);
    }

    /** An exchange is at work: it has a deadline of its own. */
    void busy() {
        waitDue = NEVER;
        headDue = NEVER;
    }

    /** Counted from the first byte of the head; later bytes gain no time. */
    void headBegun(boolean insideHead) {
        if (!insideHead) {
            headDue = NEVER;
        } else if (headDue == NEVER && waitingFor != Expired.LINGER) {
            headDue = now() + context.limits().headerNanos();
            arm();
        }
    }

    void writable(boolean writable) {
        writeDue = writable ? NEVER : now() + context.limits().idleNanos();
        if (!writable) {
            arm();
        }
    }

    void close() {
        timer.close();
    }

    private void waitFor(Expired what, long nanos) {
        waitingFor = what;
        waitDue = now() + nanos;
        arm();
    }

    /** Nanoseconds since the connection was accepted: small numbers, which compare without care. */
    private long now() {
        return context.clock().nanoTime() - originNanos;
    }

    private void arm() {
        long due = Math.min(waitDue, Math.min(headDue, writeDue));
        if (due != NEVER) {
            timer.arm(originNanos + due);
        }
    }

    private void onDue() {
        long now = now();
        if (writeDue <= now) {
            writeDue = NEVER;
            onExpired.accept(Expired.WRITE);
        } else if (headDue <= now) {
            headDue = NEVER;
            onExpired.accept(Expired.HEAD);
        } else if (waitDue <= now) {
            waitDue = NEVER;
            onExpired.accept(waitingFor);
        }
        arm();
    }
}
