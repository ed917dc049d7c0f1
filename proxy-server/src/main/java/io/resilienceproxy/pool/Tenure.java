package io.resilienceproxy.pool;

import io.netty.handler.codec.http.HttpHeaders;
import io.resilienceproxy.policy.PoolPolicy;
import io.resilienceproxy.time.Clock;

/**
 * Since when a connection is what it is, leased or idle, and for how long it may yet be used. Counts its leases in its lane.
 *
 * <p>On its event loop.
 */
final class Tenure {

    private final Lane lane;
    private final PoolPolicy policy;
    private final Clock clock;
    private final long idleTimeoutNanos;
    private final long retireNanos;

    private boolean leased;
    private boolean hasBeenIdle;
    private boolean unused;
    private long idleLimitNanos;
    private long idleSinceNanos;
    private long idleUntilNanos;

    /** Begins neither leased nor idle. @param policy under which the connection was opened */
    Tenure(Lane lane, PoolPolicy policy, Clock clock) {
        this.lane = lane;
        this.policy = policy;
        this.clock = clock;
        this.idleTimeoutNanos = policy.idleTimeout().toNanos();
        this.idleLimitNanos = idleTimeoutNanos;
        this.retireNanos = clock.nanoTime() + policy.maxLifetime().toNanos();
    }

    Lane lane() {
        return lane;
    }

    PoolPolicy policy() {
        return policy;
    }

    /** The other side may have closed it meanwhile. */
    boolean hasBeenIdle() {
        return hasBeenIdle;
    }

    /** It has been idle and nothing else. */
    boolean isUnused() {
        return unused;
    }

    long idleSinceNanos() {
        return idleSinceNanos;
    }

    /** The end of its idle time or of its life, whichever comes first. */
    long idleUntilNanos() {
        return idleUntilNanos;
    }

    boolean isOver(long nowNanos) {
        return nowNanos - idleUntilNanos >= 0;
    }

    void lease() {
        leased = true;
        unused = false;
        lane.outstanding++;
    }

    /** Its lease is over, if it had one. */
    void end() {
        if (leased) {
            leased = false;
            lane.outstanding--;
        }
    }

    /** A response says how long its sender keeps an idle connection. */
    void onHead(HttpHeaders fields) {
        idleLimitNanos = KeepAliveHint.limit(fields, idleTimeoutNanos);
    }

    /** Is idle from now on. @param afterExchange false: it was opened to be idle */
    void rest(boolean afterExchange) {
        unused = !afterExchange;
        end();
        hasBeenIdle = true;
        idleSinceNanos = clock.nanoTime();
        idleUntilNanos = idleSinceNanos + Math.min(idleLimitNanos, retireNanos - idleSinceNanos);
    }
}
