package io.resilienceproxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.resilienceproxy.http.RequestHead;
import io.resilienceproxy.http.RequestRewrite;
import io.resilienceproxy.http.ResponseHead;
import io.resilienceproxy.outcome.FailureKind;
import io.resilienceproxy.pool.Connection;
import io.resilienceproxy.pool.ConnectionSource;
import io.resilienceproxy.pool.Endpoint;
import io.resilienceproxy.pool.ResponseHandler;
import io.resilienceproxy.pool.Tried;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Connections that come, stay away, break and answer at random; counts those that are out. */
final class FakeUpstream implements ConnectionSource {

    private static final int[] STATUSES = {200, 200, 200, 200, 204, 404, 429, 500, 503};

    private final Chaos chaos;
    private final List<Asked> pending = new ArrayList<>();
    private final List<FakeConnection> leased = new ArrayList<>();
    private boolean behaves;

    FakeUpstream(Chaos chaos) {
        this.chaos = chaos;
    }

    /** From now on every connection is there at once and answers 200. */
    void behave() {
        behaves = true;
    }

    /** Whoever could go on may: a side is stopped only while the other takes nothing. */
    void assertNothingStuck() {
        leased.forEach(FakeConnection::assertNotStuck);
    }

    int leased() {
        return leased.size();
    }

    int pending() {
        return pending.size();
    }

    void acts() {
        if (!pending.isEmpty() && (leased.isEmpty() || chaos.chance(30))) {
            pending.get(chaos.random.nextInt(pending.size())).resolve();
        } else if (!leased.isEmpty()) {
            leased.get(chaos.random.nextInt(leased.size())).acts();
        }
    }

    private FakeConnection lease(boolean reused) {
        FakeConnection connection = new FakeConnection(reused);
        leased.add(connection);
        return connection;
    }

    @Override
    public @Nullable PendingConnection acquire(Listener listener, @Nullable Tried tried) {
        if (behaves || chaos.chance(40)) {
            listener.onConnected(lease(true));
            return null;
        }
        return connect(listener, tried);
    }

    @Override
    public PendingConnection connect(Listener listener, @Nullable Tried tried) {
        Asked asked = new Asked(listener);
        pending.add(asked);
        if (chaos.chance(20)) {
            asked.resolve();
        }
        return asked;
    }

    private final class Asked implements PendingConnection {
        private final Listener listener;
        private final boolean connecting = chaos.chance(70);
        private boolean timedOut;

        Asked(Listener listener) {
            this.listener = listener;
        }

        void resolve() {
            pending.remove(this);
            if (chaos.chance(75)) {
                listener.onConnected(lease(false));
            } else {
                listener.onConnectFailed(
                        chaos.chance(50) ? FailureKind.CONNECTION_REFUSED : FailureKind.DNS_ERROR,
                        chaos.chance(50) ? chaos.endpoint() : null);
            }
        }

        @Override
        public boolean isConnecting() {
            return connecting;
        }

        @Override
        public FailureKind timeOut() {
            cancel();
            timedOut = true;
            return FailureKind.CONNECT_TIMEOUT;
        }

        @Override
        public @Nullable Endpoint endpoint() {
            return chaos.endpoint();
        }

        @Override
        public void cancel() {
            if (timedOut) {
                return;
            }
            assertThat(pending.remove(this)).as("cancelled while pending").isTrue();
        }
    }

    private final class FakeConnection implements Connection {
        private final boolean reused;
        private final Endpoint endpoint = chaos.endpoint();
        private @Nullable ResponseHandler handler;
        private boolean flushed;
        private final boolean refusesWrite = chaos.chance(5);
        private boolean asksForWebSocket;
        private @Nullable FakeExchange caller;
        private boolean headReceived;
        private boolean anythingReceived;
        private boolean writable = true;
        private boolean reading = true;

        FakeConnection(boolean reused) {
            this.reused = reused;
        }

        void acts() {
            ResponseHandler to = handler;
            if (to == null) {
                return;
            }
            int what = chaos.random.nextInt(100);
            if (what < 10) {
                writable = !writable;
                to.onWritabilityChanged();
            } else if (what < 22) {
                breakOff(to);
            } else if (!headReceived) {
                answer(to);
            } else if (reading) {
                goOn(to);
            }
        }

        private void breakOff(ResponseHandler to) {
            gone();
            FailureKind before = chaos.chance(80) ? FailureKind.RESET : FailureKind.MALFORMED_RESPONSE;
            to.onFailure(headReceived ? FailureKind.TRUNCATED_RESPONSE : before, anythingReceived);
        }

        private void answer(ResponseHandler to) {
            anythingReceived = true;
            if (asksForWebSocket && chaos.chance(60)) {
                headReceived = true;
                to.onUpgraded(head(101));
                return;
            }
            if (chaos.chance(20)) {
                to.onInformational(head(103));
                return;
            }
            headReceived = true;
            to.onHead(head(STATUSES[chaos.random.nextInt(STATUSES.length)]));
        }

        private ResponseHead head(int status) {
            HttpHeaders fields = new DefaultHttpHeaders();
            if (status >= 400 && chaos.chance(30)) {
                fields.set("Retry-After", String.valueOf(chaos.random.nextInt(3)));
            }
            return new ResponseHead(status, "", fields, 20_000L * chaos.random.nextInt(2), true);
        }

        private void goOn(ResponseHandler to) {
            if (chaos.chance(50)) {
                to.onBody(chaos.buffer(1 + chaos.random.nextInt(9000)));
                to.onReadComplete();
            } else {
                to.onEnd(null);
            }
        }

        void assertNotStuck() {
            if (handler == null || caller == null) {
                return;
            }
            if (handler instanceof HeldResponse || headReceived && caller.isWritable()) {
                assertThat(reading).as("an upstream whose bytes are wanted").isTrue();
            }
            if (!(handler instanceof HeldResponse) && writable) {
                assertThat(caller.isPaused())
                        .as("a caller whose upstream takes bytes is paused")
                        .isFalse();
            }
        }

        private void gone() {
            handler = null;
            assertThat(leased.remove(this)).as("given back once").isTrue();
        }

        @Override
        public Endpoint endpoint() {
            return endpoint;
        }

        @Override
        public boolean isReused() {
            return reused;
        }

        @Override
        public void handler(ResponseHandler to) {
            handler = to;
        }

        @Override
        public void sendHead(
                RequestHead head, int prefixLength, RequestRewrite rewrite, long remainingMillis, int attempt) {
            assertThat(remainingMillis).isPositive();
            asksForWebSocket = head.webSocket();
            caller = chaos.callerOf(head);
        }

        @Override
        public void sendBody(ByteBuf piece) {
            piece.release();
        }

        @Override
        public void sendEnd(@Nullable HttpHeaders trailers) {}

        @Override
        public void flush() {
            flushed = true;
            if (behaves) {
                chaos.loop().eventLoop().execute(this::answerWell);
            }
        }

        private void answerWell() {
            ResponseHandler to = handler;
            if (to != null) {
                to.onHead(new ResponseHead(200, "", new DefaultHttpHeaders(), 0, true));
                to.onEnd(null);
            }
        }

        @Override
        public boolean mayHaveSent() {
            return flushed && !refusesWrite;
        }

        @Override
        public boolean isWritable() {
            return writable;
        }

        @Override
        public void reading(boolean on) {
            reading = on;
        }

        @Override
        public void release() {
            gone();
        }

        @Override
        public void abort() {
            gone();
        }
    }
}
