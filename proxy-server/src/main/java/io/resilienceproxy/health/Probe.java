package io.resilienceproxy.health;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.concurrent.ScheduledFuture;
import io.resilienceproxy.http.RequestHead;
import io.resilienceproxy.http.RequestRewrite;
import io.resilienceproxy.http.ResponseHead;
import io.resilienceproxy.outcome.FailureKind;
import io.resilienceproxy.outcome.TlsAlert;
import io.resilienceproxy.pool.Connection;
import io.resilienceproxy.pool.ConnectionSource;
import io.resilienceproxy.pool.ConnectionSource.PendingConnection;
import io.resilienceproxy.pool.Endpoint;
import io.resilienceproxy.pool.ResponseHandler;
import io.resilienceproxy.time.Clock;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request for a health page, on a connection that ends with it. Its head is the answer; what else comes is not waited
 * for. Done in {@code timeoutNanos}, whatever happens.
 *
 * <p>On one event loop, the one of its source.
 */
final class Probe implements ConnectionSource.Listener, ResponseHandler {

    private final EventLoop loop;
    private final RequestHead request;
    private final RequestRewrite rewrite;
    private final Clock clock;
    private final Consumer<ProbeResult> done;
    private final long startNanos;
    private @Nullable ScheduledFuture<?> timer;
    private @Nullable PendingConnection pending;
    private @Nullable Connection connection;
    private boolean over;

    private Probe(
            EventLoop loop, RequestHead request, RequestRewrite rewrite, Clock clock, Consumer<ProbeResult> done) {
        this.loop = loop;
        this.request = request;
        this.rewrite = rewrite;
        this.clock = clock;
        this.done = done;
        this.startNanos = clock.nanoTime();
    }

    /** Begins; {@code done} is told once, perhaps before this returns. */
    static void start(
            EventLoop loop,
            ConnectionSource source,
            RequestHead request,
            RequestRewrite rewrite,
            long timeoutNanos,
            Clock clock,
            Consumer<ProbeResult> done) {
        Probe probe = new Probe(loop, request, rewrite, clock, done);
        probe.timer = loop.schedule(() -> probe.fail("timeout"), timeoutNanos, TimeUnit.NANOSECONDS);
        PendingConnection asked = source.connect(probe, null);
        if (!probe.over && probe.connection == null) {
            probe.pending = asked;
        }
    }

    private void fail(String why) {
        end(0, why);
    }

    private void end(int status, @Nullable String failure) {
        if (over) {
            return;
        }
        over = true;
        if (timer != null) {
            timer.cancel(false);
        }
        if (pending != null) {
            pending.cancel();
        }
        if (connection != null) {
            connection.abort();
        }
        long now = clock.nanoTime();
        done.accept(new ProbeResult(status, failure, now, now - startNanos));
    }

    @Override
    public void onConnecting() {}

    @Override
    public void onConnected(Connection leased) {
        pending = null;
        if (over) {
            leased.abort();
            return;
        }
        connection = leased;
        leased.handler(this);
        long remaining = timer == null ? 0 : Math.max(1, timer.getDelay(TimeUnit.MILLISECONDS));
        leased.sendHead(request, 0, rewrite, remaining, 1);
        leased.sendEnd(null);
        leased.flush();
    }

    /** The kind of failure that follows says enough. */
    @Override
    public void onTlsAlert(TlsAlert alert) {}

    @Override
    public void onConnectFailed(FailureKind kind, @Nullable Endpoint last) {
        pending = null;
        fail(kind.token());
    }

    @Override
    public void onHead(ResponseHead head) {
        end(head.status(), null);
    }

    @Override
    public void onFailure(FailureKind kind, boolean anythingReceived) {
        connection = null;
        fail(kind.token());
    }

    @Override
    public void onUpgraded(ResponseHead head) {
        fail(FailureKind.MALFORMED_RESPONSE.token());
    }

    @Override
    public void onBody(ByteBuf piece) {
        piece.release();
    }

    @Override
    public void onInformational(ResponseHead head) {}

    @Override
    public void onEnd(@Nullable HttpHeaders trailers) {}

    @Override
    public void onReadComplete() {}

    @Override
    public void onWritabilityChanged() {}
}
