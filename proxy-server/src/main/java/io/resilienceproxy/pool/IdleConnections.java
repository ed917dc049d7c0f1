package io.resilienceproxy.pool;

import io.netty.channel.EventLoop;
import io.resilienceproxy.loop.LazyTimer;
import io.resilienceproxy.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One event loop's idle connections to one url, kept in the lanes of their endpoints. Each is closed when its time is over.
 *
 * <p>On that loop, except the count, which has one writer.
 */
final class IdleConnections {

    private final Lanes lanes;
    private final Clock clock;
    private final LazyTimer timer;
    private volatile int count;

    /** What the timer is set to; of no meaning while nothing is idle. */
    private long dueNanos;

    IdleConnections(Lanes lanes, EventLoop loop, Clock clock) {
        this.lanes = lanes;
        this.clock = clock;
        this.timer = new LazyTimer(loop, clock, this::closeExpired);
    }

    /** On any thread. */
    int count() {
        return count;
    }

    private void count(int more) {
        count = count + more;
    }

    void add(Http1Connection connection) {
        connection.tenure().lane().idle.addFirst(connection);
        count(1);
        long until = connection.tenure().idleUntilNanos();
        if (count == 1 || until - dueNanos < 0) {
            arm(until);
        }
    }

    private void arm(long nanos) {
        dueNanos = nanos;
        timer.arm(nanos);
    }

    /** The newest to this endpoint that is still good. */
    @Nullable
    Http1Connection take(Lane lane, long nowNanos) {
        Http1Connection connection;
        while ((connection = lane.idle.pollFirst()) != null) {
            count(-1);
            if (connection.isUsable(nowNanos)) {
                return connection;
            }
            connection.close();
        }
        return null;
    }

    /** @return false where it was not idle */
    boolean remove(Http1Connection connection) {
        boolean removed = connection.tenure().lane().idle.remove(connection);
        if (removed) {
            count(-1);
        }
        return removed;
    }

    /** @return false where there is none */
    boolean closeOldest() {
        Lane lane = lanes.withOldestIdle();
        if (lane == null) {
            return false;
        }
        close(lane.idle.getLast());
        return true;
    }

    /** One that is idle no longer is somebody's: what is closed beside it may have led a request to it. */
    void close(Http1Connection connection) {
        if (remove(connection)) {
            connection.close();
        }
    }

    /** Those to an endpoint that is gone. */
    void closeIn(Lane gone) {
        List.copyOf(gone.idle).forEach(this::close);
    }

    /** For good. */
    void closeAll() {
        timer.close();
        lanes.allIdle().forEach(this::close);
    }

    private void closeExpired() {
        long now = clock.nanoTime();
        long earliest = Long.MAX_VALUE;
        for (Http1Connection connection : lanes.allIdle()) {
            long left = connection.tenure().idleUntilNanos() - now;
            if (left <= 0) {
                close(connection);
            } else {
                earliest = Math.min(earliest, left);
            }
        }
        if (earliest < Long.MAX_VALUE) {
            arm(now + earliest);
        }
    }
}
