package io.resilienceproxy.pool;

import io.resilienceproxy.outcome.FailureKind;
import io.resilienceproxy.outcome.TlsAlert;
import org.jspecify.annotations.Nullable;

/** Where an event loop gets its connections to one upstream from. Used on that loop only. */
public interface ConnectionSource {

    /** A live idle connection, or null; leased to the caller. */
    @Nullable
    Connection acquireNow();

    /** Waits for a place in the pool if need be, then connects; or takes what is released in the meantime. */
    PendingConnection acquire(Listener listener);

    /** Like {@link #acquire}, but never an idle connection: for a request that has just met a dead one. */
    PendingConnection connect(Listener listener);

    /** Told exactly one of the last two, unless the request was cancelled; possibly before {@link #acquire} returns. */
    interface Listener {

        /** The wait for a place in the pool is over: what takes time from here on is not ours. Not told without a wait. */
        void onConnecting();

        /** The connection is leased to the listener. */
        void onConnected(Connection connection);

        /** The upstream refused the handshake, in its own words; {@link #onConnectFailed} comes next. */
        void onTlsAlert(TlsAlert alert);

        /** {@link FailureKind#CONNECTION_REFUSED} and the like: nothing was sent. */
        void onConnectFailed(FailureKind kind);
    }

    /** A connection on its way. */
    interface PendingConnection {

        /** False: still waiting for a place in the pool. */
        boolean isConnecting();

        /** Gives up; the listener is told nothing more. */
        void cancel();
    }
}
