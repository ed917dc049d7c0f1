package io.resilienceproxy.pool;

import io.resilienceproxy.outcome.FailureKind;
import io.resilienceproxy.outcome.TlsAlert;
import org.jspecify.annotations.Nullable;

/** Where an event loop gets its connections to one upstream from. Used on that loop only. */
public interface ConnectionSource {

    /**
     * A live idle connection at once; else waits for a place in the pool if need be, then connects, or takes what is
     * released in the meantime. Which endpoint it leads to is chosen here.
     *
     * @param tried where not to go again while there is another endpoint; null: it may go anywhere. Read until the listener
     *     is told
     * @return null when the listener has been told already
     */
    @Nullable
    PendingConnection acquire(Listener listener, @Nullable Tried tried);

    /** Like {@link #acquire}, but never an idle connection: for a request that has just met a dead one. */
    @Nullable
    PendingConnection connect(Listener listener, @Nullable Tried tried);

    /** Told exactly one of the last two, unless the request was given up; possibly before {@link #acquire} returns. */
    interface Listener {

        /** The wait for a place in the pool is over: what takes time from here on is not ours. Not told without a wait. */
        void onConnecting();

        /** The connection is leased to the listener. */
        void onConnected(Connection connection);

        /** The upstream refused the handshake, in its own words; {@link #onConnectFailed} comes next. */
        void onTlsAlert(TlsAlert alert);

        /**
         * {@link FailureKind#CONNECTION_REFUSED} and the like: nothing was sent.
         *
         * @param last the endpoint that failed last; null where none was known
         */
        void onConnectFailed(FailureKind kind, @Nullable Endpoint last);
    }

    /** A connection on its way. */
    interface PendingConnection {

        /** False: still waiting for a place in the pool. */
        boolean isConnecting();

        /** Gives up; the listener is told nothing more. */
        void cancel();

        /**
         * The time for connecting is over: gives up like {@link #cancel}, and holds it against the endpoints that were
         * connected to.
         *
         * @return what failed: the look-up of the name, or connecting
         */
        FailureKind timeOut();

        /** The last one that it tries to connect to; null where it waits, or knows none. */
        @Nullable
        Endpoint endpoint();
    }
}
