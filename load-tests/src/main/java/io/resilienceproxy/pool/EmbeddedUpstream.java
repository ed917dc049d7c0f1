package io.resilienceproxy.pool;

import io.netty.channel.embedded.EmbeddedChannel;
import io.resilienceproxy.time.Clock;

/** Puts an upstream connection on an embedded channel into a pool, for the benchmarks. */
public final class EmbeddedUpstream {

    private EmbeddedUpstream() {}

    /** Takes a place in the pool for a connection that is to come, so that the next request waits for it. */
    public static void reserve(ConnectionPool pool) {
        if (!pool.tryTakePlace()) {
            throw new IllegalStateException("the pool is full");
        }
    }

    /** Makes the channel the connection that a place was reserved for, and gives it to the request that waits. */
    public static void connect(EmbeddedChannel channel, ConnectionPool pool, Clock clock) {
        Http1Connection.prepare(channel.pipeline());
        LoopPool loop = (LoopPool) pool.on(0);
        Lane lane = loop.lanes().choose(null, clock.nanoTime());
        if (lane == null) {
            throw new IllegalStateException("the url of the pool must hold an IP address");
        }
        loop.give(loop.opened(channel, lane));
    }
}
