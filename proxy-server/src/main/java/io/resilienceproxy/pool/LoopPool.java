package io.resilienceproxy.pool;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.resilienceproxy.loop.LazyTimer;
import io.resilienceproxy.outcome.FailureKind;
import io.resilienceproxy.outcome.TlsAlert;
import io.resilienceproxy.time.Clock;
import io.resilienceproxy.tls.TlsFailure;
import io.resilienceproxy.tls.UpstreamTls;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * One event loop's connections to one upstream. The newest idle connection is used first, so that the ones that traffic
 * no longer needs grow old and are closed.
 *
 * <p>Every method runs on the loop, except the counts and those named {@code ...Soon}. Counts have one writer, the loop.
 *
 * <p>No request waits while there is a place or an idle connection for it, on whatever loop: each loop first shows what it
 * has, that somebody waits or that something is idle or free, and only then looks at what the others show. So of two
 * that do so at once, at least one sees the other.
 */
final class LoopPool implements ConnectionSource {

    private final ConnectionPool shared;
    private final EventLoop loop;
    private final Connector connector;
    private final Clock clock;
    private final Deque<Http1Connection> idle = new ArrayDeque<>();
    private final Deque<Pending> waiting = new ArrayDeque<>();
    private final LazyTimer idleTimer;
    private volatile int idleCount;
    private volatile int connectingCount;
    private volatile int waitingCount;
    private volatile int placeCount;

    LoopPool(ConnectionPool shared, EventLoop loop, Connector connector, Clock clock) {
        this.shared = shared;
        this.loop = loop;
        this.connector = connector;
        this.clock = clock;
        this.idleTimer = new LazyTimer(loop, clock, this::closeExpired);
    }

    int idle() {
        return idleCount;
    }

    int connecting() {
        return connectingCount;
    }

    int waiting() {
        return waitingCount;
    }

    /** The places that this loop has taken: connections open or being opened. */
    int places() {
        return placeCount;
    }

    @Override
    public @Nullable Connection acquireNow() {
        long now = clock.nanoTime();
        Http1Connection connection;
        while ((connection = idle.pollFirst()) != null) {
            idleCount = idle.size();
            if (connection.isUsable(now)) {
                connection.lease();
                return connection;
            }
            connection.close();
        }
        return null;
    }

    @Override
    public PendingConnection acquire(Listener listener) {
        Pending pending = new Pending(listener, false);
        enter(pending);
        return pending;
    }

    @Override
    public PendingConnection connect(Listener listener) {
        Pending pending = new Pending(listener, true);
        enter(pending);
        return pending;
    }

    private void enter(Pending pending) {
        if (waiting.isEmpty() && !shared.anyWaits() && tryTakePlace()) {
            pending.connect();
            return;
        }
        waiting.addLast(pending);
        waitingCount = waiting.size();
        if (shared.hasFreePlace()) {
            // Not simply taken: another loop may wait for this very place.
            shared.offerPlace(this);
        }
        if (!pending.connecting) {
            makeRoom();
        }
    }

    private boolean tryTakePlace() {
        if (!shared.tryTakePlace()) {
            return false;
        }
        placeCount++;
        return true;
    }

    private void returnPlace() {
        placeCount--;
        shared.returnPlace(this);
    }

    /** An idle connection is in the way of a fresh one: this loop's own first, else another loop's. */
    private void makeRoom() {
        if (!closeOldestIdle()) {
            shared.askOthersForPlace(this);
        }
    }

    private boolean closeOldestIdle() {
        Http1Connection oldest = idle.pollLast();
        if (oldest == null) {
            return false;
        }
        idleCount = idle.size();
        oldest.close();
        return true;
    }

    /** After a response: to who waits, else among the idle. The connection is reusable. */
    void give(Http1Connection connection) {
        if (shared.isClosed() || shared.isSurplus(connection.policy()) || shared.othersWaitWithLess(this)) {
            connection.close();
            return;
        }
        Pending next = firstThatTakesUsed();
        if (next != null) {
            connection.lease();
            next.listener.onConnected(connection);
            return;
        }
        idle.addFirst(connection);
        idleCount = idle.size();
        if (!waiting.isEmpty() || shared.othersWait(this)) {
            closeOldestIdle();
        } else if (idle.size() == 1) {
            idleTimer.arm(connection.idleUntilNanos());
        }
    }

    private @Nullable Pending firstThatTakesUsed() {
        for (Pending pending : waiting) {
            if (!pending.fresh) {
                waiting.remove(pending);
                waitingCount = waiting.size();
                pending.done = true;
                return pending;
            }
        }
        return null;
    }

    void onClosed(Http1Connection connection) {
        if (idle.remove(connection)) {
            idleCount = idle.size();
        }
        returnPlace();
    }

    void serveWaiting() {
        while (!waiting.isEmpty() && tryTakePlace()) {
            Pending next = waiting.pollFirst();
            waitingCount = waiting.size();
            next.listener.onConnecting();
            next.connect();
        }
    }

    /** The place was offered to this loop; where nobody waits here any more, it is offered on. */
    void serveWaitingSoon() {
        loop.execute(() -> {
            serveWaiting();
            if (waiting.isEmpty() && shared.hasFreePlace()) {
                shared.offerPlace(this);
            }
        });
    }

    /** What was idle when it was asked for may be in use by now: then somebody else is asked. */
    void giveUpIdleSoon(LoopPool asking) {
        loop.execute(() -> {
            if (asking.waiting() > 0 && !closeOldestIdle()) {
                shared.askOthersForPlace(asking);
            }
        });
    }

    void closeIdleSoon() {
        loop.execute(() -> {
            idleTimer.close();
            Http1Connection connection;
            while ((connection = idle.pollFirst()) != null) {
                connection.close();
            }
            idleCount = 0;
        });
    }

    /** The policy has changed. */
    void adjustSoon() {
        loop.execute(() -> {
            for (Http1Connection connection : idle.toArray(Http1Connection[]::new)) {
                if (shared.isSurplus(connection.policy())) {
                    idle.remove(connection);
                    idleCount = idle.size();
                    connection.close();
                }
            }
            serveWaiting();
        });
    }

    private void closeExpired() {
        long now = clock.nanoTime();
        long earliest = Long.MAX_VALUE;
        for (Http1Connection connection : idle.toArray(Http1Connection[]::new)) {
            long left = connection.idleUntilNanos() - now;
            if (left <= 0) {
                idle.remove(connection);
                connection.close();
            } else {
                earliest = Math.min(earliest, left);
            }
        }
        idleCount = idle.size();
        if (!idle.isEmpty()) {
            idleTimer.arm(now + earliest);
        }
    }

    /** One request for a connection: waits for a place, then connects. */
    private final class Pending implements PendingConnection {
        private final Listener listener;
        private final boolean fresh;
        private @Nullable Channel channel;
        private boolean connecting;
        private boolean done;

        Pending(Listener listener, boolean fresh) {
            this.listener = listener;
            this.fresh = fresh;
        }

        /** The place is taken. */
        void connect() {
            connecting = true;
            connectingCount++;
            ChannelFuture future = connector.connect(loop, shared.url());
            channel = future.channel();
            future.addListener(ignored -> onConnectEnded(future));
        }

        private void onConnectEnded(ChannelFuture future) {
            if (!future.isSuccess()) {
                connectingCount--;
                returnPlace();
                end(Connector.failureKind(future.cause()), null);
                return;
            }
            UpstreamTls tls = shared.tls();
            if (tls == null) {
                onUsable(future.channel());
            } else {
                tls.handshake(future.channel()).addListener(done -> onHandshakeEnded(future.channel(), done));
            }
        }

        /** One that failed keeps its place until its channel has closed. */
        private void onHandshakeEnded(Channel secured, Future<?> handshake) {
            if (handshake.isSuccess()) {
                onUsable(secured);
                return;
            }
            secured.closeFuture().addListener(closed -> {
                connectingCount--;
                returnPlace();
            });
            if (handshake.cause() instanceof TlsFailure failure) {
                end(failure.kind(), failure.alert());
            } else {
                end(FailureKind.TLS_PROTOCOL, null);
            }
        }

        private void onUsable(Channel open) {
            connectingCount--;
            Http1Connection connection = new Http1Connection(open, LoopPool.this, shared.policy(), clock);
            if (done) {
                connection.close();
                return;
            }
            done = true;
            connection.lease();
            listener.onConnected(connection);
        }

        private void end(FailureKind kind, @Nullable TlsAlert alert) {
            if (!done) {
                done = true;
                if (alert != null) {
                    listener.onTlsAlert(alert);
                }
                listener.onConnectFailed(kind);
            }
        }

        @Override
        public boolean isConnecting() {
            return connecting;
        }

        @Override
        public void cancel() {
            if (done) {
                return;
            }
            done = true;
            if (channel != null) {
                channel.close();
            } else if (waiting.remove(this)) {
                waitingCount = waiting.size();
            }
        }
    }
}
