package io.resilienceproxy.pool;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.resilienceproxy.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One event loop's connections to one url. The newest idle connection to an endpoint is used first, so that the ones that
 * traffic no longer needs grow old and are closed.
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
    private final Lanes lanes = new Lanes(bound -> ThreadLocalRandom.current().nextInt(bound));
    private final Deque<Pending> waiting = new ArrayDeque<>();
    /** They have a place and lack an address. */
    private final List<Pending> withoutEndpoint = new ArrayList<>();

    private final IdleConnections idle;
    private final Reserve reserve;
    private volatile int connectingCount;
    private volatile int waitingCount;
    private volatile int placeCount;

    LoopPool(ConnectionPool shared, EventLoop loop, Connector connector, Clock clock) {
        this.shared = shared;
        this.loop = loop;
        this.connector = connector;
        this.clock = clock;
        this.idle = new IdleConnections(lanes, loop, clock);
        this.reserve = new Reserve(this, clock);
        lanes.follow(shared.endpoints().present());
    }

    ConnectionPool shared() {
        return shared;
    }

    EventLoop loop() {
        return loop;
    }

    Connector connector() {
        return connector;
    }

    Lanes lanes() {
        return lanes;
    }

    long now() {
        return clock.nanoTime();
    }

    int idle() {
        return idle.count();
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
    public @Nullable PendingConnection acquire(Listener listener, @Nullable Tried tried) {
        long now = clock.nanoTime();
        shared.endpoints().refreshIfDue(now);
        Lane chosen = lanes.choose(tried, now);
        Http1Connection ready = chosen == null ? null : idle.take(chosen, now);
        if (ready == null && lanes.areSeveral() && !shared.hasFreePlace()) {
            // Nobody may connect now: a connection to another endpoint is better than waiting.
            Lane other = lanes.withIdle(tried, now);
            ready = other == null ? null : idle.take(other, now);
        }
        if (ready != null) {
            ready.endpoint().onUse(now);
            ready.lease();
            fillReserve();
            listener.onConnected(ready);
            return null;
        }
        return enter(new Pending(this, listener, false, tried), chosen);
    }

    @Override
    public @Nullable PendingConnection connect(Listener listener, @Nullable Tried tried) {
        long now = clock.nanoTime();
        shared.endpoints().refreshIfDue(now);
        return enter(new Pending(this, listener, true, tried), lanes.choose(tried, now));
    }

    /** Costs a comparison where nothing is to be kept ready. */
    void fillReserve() {
        int share = shared.idleShare(this);
        if (share > idle.count() && !shared.isClosed()) {
            reserve.fill(share);
        }
    }

    void fillReserveSoon() {
        loop.execute(this::fillReserve);
    }

    /** Null: every place is taken, or waited for. */
    @Nullable
    Pending openForReserve(Listener told) {
        if (shared.anyWaits() || !tryTakePlace()) {
            return null;
        }
        long now = clock.nanoTime();
        shared.endpoints().refreshIfDue(now);
        Pending pending = new Pending(this, told, true, null);
        pending.start(lanes.withFewestIdle(now));
        return pending;
    }

    private PendingConnection enter(Pending pending, @Nullable Lane chosen) {
        if (waiting.isEmpty() && !shared.anyWaits() && tryTakePlace()) {
            pending.start(chosen);
            return pending;
        }
        waiting.addLast(pending);
        waitingCount = waiting.size();
        if (shared.hasFreePlace()) {
            // Not simply taken: another loop may wait for this very place.
            shared.offerPlace(this);
        }
        if (!pending.isConnecting()) {
            makeRoom();
        }
        return pending;
    }

    private boolean tryTakePlace() {
        if (!shared.tryTakePlace()) {
            return false;
        }
        placeCount++;
        return true;
    }

    void returnPlace() {
        placeCount--;
        shared.returnPlace(this);
    }

    /** An idle connection is in the way of a fresh one: this loop's own first, else another loop's. */
    private void makeRoom() {
        if (!idle.closeOldest()) {
            shared.askOthersForPlace(this);
        }
    }

    /** A connection that was opened for this loop, in a place that is taken. */
    Http1Connection opened(Channel channel, Lane lane) {
        return new Http1Connection(channel, this, new Tenure(lane, shared.policy(), clock));
    }

    /** After a response: to who waits, else among the idle. The connection is reusable. */
    void give(Http1Connection connection) {
        boolean unwanted = !connection.tenure().lane().present
                || shared.isClosed()
                || shared.isSurplus(connection.tenure().policy());
        if (unwanted || shared.othersWaitWithLess(this)) {
            connection.close();
            return;
        }
        Pending next = firstThatTakes(connection);
        if (next != null) {
            connection.lease();
            next.listener().onConnected(connection);
            return;
        }
        idle.add(connection);
        if (!waiting.isEmpty() || shared.othersWait(this)) {
            idle.closeOldest();
        }
    }

    private @Nullable Pending firstThatTakes(Http1Connection connection) {
        for (Pending pending : waiting) {
            if (pending.takes(connection)) {
                leaveQueue(pending);
                pending.served();
                return pending;
            }
        }
        return null;
    }

    void leaveQueue(Pending pending) {
        if (waiting.remove(pending)) {
            waitingCount = waiting.size();
        }
    }

    void onConnecting(int more) {
        connectingCount = connectingCount + more;
    }

    void awaitEndpoints(Pending pending) {
        if (!withoutEndpoint.contains(pending)) {
            withoutEndpoint.add(pending);
        }
    }

    /** It needs no address any more. */
    void forget(Pending pending) {
        withoutEndpoint.remove(pending);
    }

    void eject(Endpoint endpoint) {
        shared.endpoints().eject(endpoint, clock.nanoTime());
    }

    /** A look-up of the name has ended: idle connections to addresses that are gone are closed, the others when they come back. */
    void followEndpointsSoon() {
        loop.execute(() -> {
            for (Lane gone : lanes.follow(shared.endpoints().present())) {
                idle.closeIn(gone);
            }
            List<Pending> ready = List.copyOf(withoutEndpoint);
            withoutEndpoint.clear();
            ready.forEach(Pending::goOn);
            fillReserve();
        });
    }

    void onClosed(Http1Connection connection) {
        if (idle.remove(connection)) {
            reserve.onLost(connection.tenure());
        }
        returnPlace();
        fillReserve();
    }

    void serveWaiting() {
        while (!waiting.isEmpty() && tryTakePlace()) {
            Pending next = waiting.pollFirst();
            waitingCount = waiting.size();
            next.listener().onConnecting();
            next.start(null);
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
            if (asking.waiting() > 0 && !idle.closeOldest()) {
                shared.askOthersForPlace(asking);
            }
        });
    }

    void closeIdleSoon() {
        loop.execute(() -> {
            reserve.close();
            idle.closeAll();
        });
    }

    /** The policy has changed. */
    void adjustSoon() {
        loop.execute(() -> {
            for (Http1Connection connection : lanes.allIdle()) {
                // Asked anew each time: with every one that is closed there are fewer.
                if (shared.isSurplus(connection.tenure().policy())) {
                    idle.close(connection);
                }
            }
            serveWaiting();
            fillReserve();
        });
    }
}
