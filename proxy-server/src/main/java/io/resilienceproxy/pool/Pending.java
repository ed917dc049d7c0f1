package io.resilienceproxy.pool;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.resilienceproxy.outcome.FailureKind;
import io.resilienceproxy.pool.ConnectionSource.Listener;
import io.resilienceproxy.pool.ConnectionSource.PendingConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One request for a connection: waits for a place in the pool, for an address if none is known, then connects.
 *
 * <p>Where the first endpoint refuses, or is silent for {@link #HEAD_START}, the next one is dialled beside it (RFC 8305
 * section 5), and so on; the first that connects is taken, and those before it that did not are ejected. All of that is one
 * place of the pool and spends one connect timeout: sockets beyond the limit are such as have not connected, and last no
 * longer than that.
 *
 * <p>On its event loop.
 */
final class Pending implements PendingConnection {

    /** RFC 8305 section 8: the recommended delay between connection attempts. */
    static final Duration HEAD_START = Duration.ofMillis(250);

    /** How long a fresh answer is waited for where an old one is at hand. */
    private static final Duration LOOK_UP_PATIENCE = Duration.ofMillis(200);

    private final LoopPool pool;
    private final Listener listener;
    private final boolean fresh;
    private final @Nullable Tried tried;
    private final List<Dial> dials = new ArrayList<>(1);
    private boolean connecting;
    private boolean holdsPlace;
    private boolean patient = true;
    private int open;
    private boolean done;

    private record Dial(Lane lane, Channel channel) {}

    /** @param fresh an idle connection will not do */
    Pending(LoopPool pool, Listener listener, boolean fresh, @Nullable Tried tried) {
        this.pool = pool;
        this.listener = listener;
        this.fresh = fresh;
        this.tried = tried;
    }

    @Nullable
    Tried tried() {
        return tried;
    }

    Listener listener() {
        return listener;
    }

    /** Whether a connection that has just been released will do. */
    boolean takes(Http1Connection released) {
        boolean tiresome = tried != null
                && tried.contains(released.endpoint())
                && pool.lanes().haveOtherThan(tried);
        return !fresh && !tiresome;
    }

    /** The listener has been told, or will never be. */
    boolean isDone() {
        return done;
    }

    /** What it waited for has come from elsewhere. */
    void served() {
        done = true;
    }

    /** The place is taken. @param chosen where to go; null: it is chosen now */
    void start(@Nullable Lane chosen) {
        connecting = true;
        holdsPlace = true;
        pool.onConnecting(1);
        if (chosen != null && !shouldWait()) {
            dial(chosen);
        } else {
            goOn();
        }
    }

    private boolean shouldWait() {
        return patient && pool.shared().endpoints().isWorthWaiting(pool.now());
    }

    /** The addresses are known, or are not worth waiting for any longer. */
    void goOn() {
        if (done || open > 0) {
            return;
        }
        Lane lane = pool.lanes().choose(tried, pool.now());
        if (shouldWait()) {
            pool.awaitEndpoints(this);
            if (lane != null) {
                pool.loop().schedule(this::runOutOfPatience, LOOK_UP_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            }
        } else if (lane == null) {
            end(FailureKind.DNS_ERROR, null);
        } else {
            dial(lane);
        }
    }

    private void runOutOfPatience() {
        patient = false;
        goOn();
    }

    private void dial(Lane lane) {
        open++;
        lane.outstanding++;
        lane.endpoint.onUse(pool.now());
        ChannelFuture future = pool.connector().connect(pool.loop(), lane.endpoint.address());
        dials.add(new Dial(lane, future.channel()));
        if (pool.lanes().areSeveral()) {
            int number = dials.size();
            pool.loop().schedule(() -> dialNextAfter(number), HEAD_START.toMillis(), TimeUnit.MILLISECONDS);
        }
        future.addListener(ignored -> onDialled(lane, future));
    }

    private void dialNextAfter(int number) {
        if (!done && dials.size() == number) {
            dialNext();
        }
    }

    private void dialNext() {
        Lane next = pool.lanes().next(dials.stream().map(Dial::lane).toList(), tried, pool.now());
        if (next != null) {
            dial(next);
        }
    }

    private void onDialled(Lane lane, ChannelFuture future) {
        open--;
        lane.outstanding--;
        if (future.isSuccess()) {
            onOpen(lane, future.channel());
        } else if (!done) {
            pool.eject(lane.endpoint);
            dialNext();
            if (open == 0) {
                end(Connector.failureKind(future.cause()), lane.endpoint);
            }
        } else {
            returnPlaceAtTheEnd();
        }
    }

    private void onOpen(Lane lane, Channel channel) {
        if (done) {
            channel.close();
            returnPlaceAtTheEnd();
            return;
        }
        done = true;
        holdsPlace = false;
        pool.onConnecting(-1);
        endRace(channel);
        Http1Connection connection = pool.opened(channel, lane);
        connection.lease();
        listener.onConnected(connection);
    }

    private void endRace(Channel winner) {
        boolean before = true;
        for (Dial dial : dials) {
            before &= dial.channel() != winner;
            if (before && dial.channel().isOpen()) {
                pool.eject(dial.lane().endpoint);
            }
            if (dial.channel() != winner) {
                dial.channel().close();
            }
        }
    }

    private void end(FailureKind kind, @Nullable Endpoint last) {
        done = true;
        returnPlaceAtTheEnd();
        listener.onConnectFailed(kind, last);
    }

    /** It went over to a connection, or is given back when nothing is being opened any more. */
    private void returnPlaceAtTheEnd() {
        if (holdsPlace && open == 0) {
            holdsPlace = false;
            pool.onConnecting(-1);
            pool.returnPlace();
        }
    }

    @Override
    public boolean isConnecting() {
        return connecting;
    }

    @Override
    public @Nullable Endpoint endpoint() {
        return dials.isEmpty() ? null : dials.get(dials.size() - 1).lane().endpoint;
    }

    @Override
    public FailureKind timeOut() {
        dials.forEach(dial -> {
            if (dial.channel().isOpen()) {
                pool.eject(dial.lane().endpoint);
            }
        });
        FailureKind kind = dials.isEmpty() ? FailureKind.DNS_ERROR : FailureKind.CONNECT_TIMEOUT;
        cancel();
        return kind;
    }

    @Override
    public void cancel() {
        if (done) {
            return;
        }
        done = true;
        if (connecting) {
            pool.forget(this);
            dials.forEach(dial -> dial.channel().close());
            returnPlaceAtTheEnd();
        } else {
            pool.leaveQueue(this);
        }
    }
}
