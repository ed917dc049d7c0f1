package io.resilienceproxy.pool;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.util.concurrent.Future;
import io.resilienceproxy.outcome.FailureKind;
import io.resilienceproxy.outcome.TlsAlert;
import io.resilienceproxy.pool.ConnectionSource.Listener;
import io.resilienceproxy.pool.ConnectionSource.PendingConnection;
import io.resilienceproxy.tls.TlsFailure;
import io.resilienceproxy.tls.UpstreamTls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One request for a connection: waits for a place in the pool, for an address if none is known, then connects.
 *
 * <p>Where the first endpoint refuses, or is silent for {@link #HEAD_START}, the next one is dialled beside it (RFC 8305
 * section 5), and so on; the first that connects is taken and goes on to TLS, and those before it that did not connect are ejected. All of that is one
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

    /** A socket is connected: no other is dialled beside it while TLS is agreed on. */
    private boolean handshaking;

    private boolean done;

    /** One socket. */
    private static final class Dial {
        private final Lane lane;
        private final Channel channel;

        /** It failed, or another was faster: nothing is expected of it any more. */
        private boolean given;

        Dial(Lane lane, Channel channel) {
            this.lane = lane;
            this.channel = channel;
        }
    }

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
            end(FailureKind.DNS_ERROR, null, null);
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
        Dial dial = new Dial(lane, future.channel());
        dials.add(dial);
        if (pool.lanes().areSeveral()) {
            int number = dials.size();
            pool.loop().schedule(() -> dialNextAfter(number), HEAD_START.toMillis(), TimeUnit.MILLISECONDS);
        }
        future.addListener(ignored -> onDialled(dial, future));
    }

    private void dialNextAfter(int number) {
        if (!done && !handshaking && dials.size() == number) {
            dialNext();
        }
    }

    private void dialNext() {
        Lane next = pool.lanes().next(dials.stream().map(dial -> dial.lane).toList(), tried, pool.now());
        if (next != null) {
            dial(next);
        }
    }

    private void onDialled(Dial dial, ChannelFuture future) {
        if (!future.isSuccess()) {
            onClosed(dial);
            onFailed(dial, Connector.failureKind(future.cause()), null);
        } else if (done || dial.given) {
            dial.channel.close();
            onClosed(dial);
        } else {
            endRace(dial);
            UpstreamTls tls = pool.shared().tls();
            if (tls == null) {
                onUsable(dial);
            } else {
                handshaking = true;
                tls.handshake(dial.channel).addListener(handshake -> onHandshakeEnded(dial, handshake));
            }
        }
    }

    private void onHandshakeEnded(Dial dial, Future<?> handshake) {
        handshaking = false;
        if (handshake.isSuccess() && !done) {
            onUsable(dial);
            return;
        }
        dial.channel.close();
        dial.channel.closeFuture().addListener(closed -> onClosed(dial));
        if (handshake.cause() instanceof TlsFailure failure) {
            onFailed(dial, failure.kind(), failure.alert());
        } else {
            onFailed(dial, FailureKind.TLS_PROTOCOL, null);
        }
    }

    /** The socket is closed, or belongs to a connection. */
    private void onClosed(Dial dial) {
        open--;
        dial.lane.outstanding--;
        returnPlaceAtTheEnd();
    }

    /** One that was given up has not failed by itself. */
    private void onFailed(Dial dial, FailureKind kind, @Nullable TlsAlert alert) {
        if (done || dial.given) {
            return;
        }
        dial.given = true;
        pool.eject(dial.lane.endpoint);
        dialNext();
        if (!done && dials.stream().allMatch(each -> each.given)) {
            end(kind, alert, dial.lane.endpoint);
        }
    }

    /** Those that were dialled before it and are silent yet were too slow. */
    private void endRace(Dial winner) {
        boolean before = true;
        for (Dial dial : dials) {
            before &= dial != winner;
            if (dial != winner && !dial.given) {
                dial.given = true;
                if (before) {
                    pool.eject(dial.lane.endpoint);
                }
                dial.channel.close();
            }
        }
    }

    private void onUsable(Dial dial) {
        done = true;
        holdsPlace = false;
        onClosed(dial);
        pool.onConnecting(-1);
        Http1Connection connection = pool.opened(dial.channel, dial.lane);
        connection.lease();
        listener.onConnected(connection);
    }

    private void end(FailureKind kind, @Nullable TlsAlert alert, @Nullable Endpoint last) {
        done = true;
        returnPlaceAtTheEnd();
        if (alert != null) {
            listener.onTlsAlert(alert);
        }
        listener.onConnectFailed(kind, last);
    }

    /** It went over to a connection, or is given back when nothing is being opened any more. */
    private void returnPlaceAtTheEnd() {
        if (done && holdsPlace && open == 0) {
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
        return dials.isEmpty() ? null : dials.get(dials.size() - 1).lane.endpoint;
    }

    @Override
    public FailureKind timeOut() {
        dials.forEach(dial -> {
            if (!dial.given) {
                pool.eject(dial.lane.endpoint);
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
            dials.forEach(dial -> dial.channel.close());
            returnPlaceAtTheEnd();
        } else {
            pool.leaveQueue(this);
        }
    }
}
