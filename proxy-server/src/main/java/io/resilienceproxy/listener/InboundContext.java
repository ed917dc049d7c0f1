package io.resilienceproxy.listener;

import io.netty.util.AsciiString;
import io.resilienceproxy.exchange.Dispatcher;
import io.resilienceproxy.exchange.TrafficListener;
import io.resilienceproxy.time.Clock;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What all inbound connections share. Thread-safe. */
public final class InboundContext {

    private final Dispatcher dispatcher;
    private volatile InboundLimits limits;
    private final TrafficListener traffic;
    private final Clock clock;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile long lastEndNanos;
    private volatile boolean draining;
    private volatile @Nullable HttpDate date;

    public InboundContext(Dispatcher dispatcher, InboundLimits limits, TrafficListener traffic, Clock clock) {
        this.dispatcher = dispatcher;
        this.limits = limits;
        this.traffic = traffic;
        this.clock = clock;
        this.lastEndNanos = clock.nanoTime();
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }

    InboundLimits limits() {
        return limits;
    }

    /** Holds at once, but for the size of a head, which connections keep with which they were accepted. */
    public void limits(InboundLimits next) {
        limits = next;
    }

    TrafficListener traffic() {
        return traffic;
    }

    Clock clock() {
        return clock;
    }

    /** From now on every response asks its caller to close (RFC 9112 section 9.6). */
    public void drain() {
        draining = true;
    }

    boolean isDraining() {
        return draining;
    }

    /** False: the limit is reached, and nothing was counted. */
    boolean tryOpenConnection() {
        if (connections.incrementAndGet() > limits.maxConnections()) {
            connections.decrementAndGet();
            return false;
        }
        traffic.onConnectionOpened();
        return true;
    }

    void onConnectionClosed() {
        connections.decrementAndGet();
        traffic.onConnectionClosed();
    }

    void onRequestBegun() {
        inFlight.incrementAndGet();
    }

    void onRequestEnded() {
        lastEndNanos = clock.nanoTime();
        inFlight.decrementAndGet();
    }

    /** How many callers are connected. */
    public int connections() {
        return connections.get();
    }

    /** For how long no request has been in flight and no tunnel open; 0 while one is. */
    public long quietNanos() {
        return inFlight.get() > 0 ? 0 : clock.nanoTime() - lastEndNanos;
    }

    /** The value of Date for an answer of the proxy's own; made once a second. */
    AsciiString date() {
        long second = clock.now().getEpochSecond();
        HttpDate current = date;
        if (current == null || current.epochSecond() != second) {
            current = HttpDate.of(second);
            date = current;
        }
        return current.text();
    }
}
