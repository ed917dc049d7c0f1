package io.resilienceproxy.load;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.EventLoop;
import io.resilienceproxy.time.Clock;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Sends the requests of one stream. With a rate, requests are due at equal intervals whether or not earlier ones were answered;
 * one that finds no free connection is sent as soon as there is one, and its latency still counts from when it was due, so that
 * a stall shows in every request that it delayed. On the event loop.
 */
final class LoadStream {

    private static final long RECONNECT_MILLIS = 10;

    private final StreamSpec spec;
    private final EventLoop loop;
    private final Function<LoadConnection, Bootstrap> bootstrap;
    private final Clock clock;
    private final Tally tally = new Tally();
    private final List<ByteBuf> requests = new ArrayList<>();
    private final List<LoadConnection> open = new ArrayList<>();
    private final Deque<LoadConnection> idle = new ArrayDeque<>();
    private int nextRequest;
    private boolean running;
    private double intervalNanos;
    private long firstDueNanos;
    private long measuredFromNanos;
    private long sent;

    /** @param bootstrap of a client that hands its channel to the connection given */
    LoadStream(StreamSpec spec, EventLoop loop, Function<LoadConnection, Bootstrap> bootstrap, Clock clock) {
        this.spec = spec;
        this.loop = loop;
        this.bootstrap = bootstrap;
        this.clock = clock;
        for (String path : spec.paths()) {
            String head = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nUser-Agent: load\r\nAccept: */*\r\n\r\n";
            byte[] bytes = head.getBytes(StandardCharsets.ISO_8859_1);
            requests.add(Unpooled.unreleasableBuffer(
                    Unpooled.directBuffer(bytes.length).writeBytes(bytes)));
        }
    }

    StreamSpec spec() {
        return spec;
    }

    Tally tally() {
        return tally;
    }

    void start() {
        running = true;
        intervalNanos = spec.isOpenLoop() ? TimeUnit.SECONDS.toNanos(1) / spec.perSecond() : 0;
        firstDueNanos = clock.nanoTime();
        for (int i = 0; i < spec.connections(); i++) {
            connect();
        }
    }

    /** From now on it counts. The schedule starts afresh: how long the generator took to warm up is nobody's latency. */
    void measure() {
        tally.measure();
        measuredFromNanos = clock.nanoTime();
        firstDueNanos = measuredFromNanos;
        sent = 0;
    }

    /** Sends nothing more, and counts what was due and is not answered. */
    void stop() {
        running = false;
        long now = clock.nanoTime();
        for (LoadConnection connection : open) {
            if (connection.isBusy() && connection.dueNanos() - measuredFromNanos >= 0) {
                tally.onUnfinished(now - connection.dueNanos());
            }
        }
        if (spec.isOpenLoop()) {
            for (long due = nextDue(); due - now <= 0; due = nextDue()) {
                sent++;
                tally.onUnfinished(now - due);
            }
        }
        List.copyOf(open).forEach(LoadConnection::close);
        requests.forEach(request -> request.unwrap().release());
    }

    boolean isRunning() {
        return running;
    }

    private void connect() {
        LoadConnection connection = new LoadConnection(this);
        open.add(connection);
        bootstrap.apply(connection).connect().addListener((ChannelFutureListener) connected -> {
            if (!connected.isSuccess()) {
                onClosed(connection);
            }
        });
    }

    void onIdle(LoadConnection connection) {
        if (!running) {
            return;
        }
        if (!spec.isOpenLoop()) {
            connection.send(nextRequest(), clock.nanoTime());
            return;
        }
        idle.addLast(connection);
        if (idle.size() == 1) {
            sendWhatIsDue(clock.nanoTime());
        }
    }

    void onResponse(int status, long due) {
        if (running) {
            boolean counts = !spec.isOpenLoop() || due - measuredFromNanos >= 0;
            tally.onResponse(status, counts ? clock.nanoTime() - due : Tally.UNTIMED);
        }
    }

    void onBroken(long due) {
        if (running) {
            tally.onBroken(clock.nanoTime() - due);
        }
    }

    void onFault(RuntimeException fault) {
        System.err.println(spec.name() + ": " + fault.getMessage());
    }

    void onClosed(LoadConnection connection) {
        open.remove(connection);
        idle.remove(connection);
        if (running) {
            loop.schedule(this::reconnect, RECONNECT_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void reconnect() {
        if (running) {
            connect();
        }
    }

    private long nextDue() {
        return firstDueNanos + (long) (sent * intervalNanos);
    }

    /** Does nothing for a closed loop: there the answers send. */
    boolean sendWhatIsDue(long now) {
        boolean any = false;
        while (!idle.isEmpty() && nextDue() - now <= 0) {
            long due = nextDue();
            sent++;
            idle.pollFirst().send(nextRequest(), due);
            any = true;
        }
        return any;
    }

    private ByteBuf nextRequest() {
        ByteBuf request = requests.get(nextRequest);
        nextRequest = nextRequest + 1 == requests.size() ? 0 : nextRequest + 1;
        return request.duplicate();
    }
}
