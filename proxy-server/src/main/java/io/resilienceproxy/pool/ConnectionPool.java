package io.resilienceproxy.pool;

import io.netty.channel.EventLoop;
import io.resilienceproxy.dns.NameService;
import io.resilienceproxy.policy.PoolPolicy;
import io.resilienceproxy.policy.TlsPolicy;
import io.resilienceproxy.policy.UpstreamUrl;
import io.resilienceproxy.time.Clock;
import io.resilienceproxy.tls.UpstreamTls;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one url of an upstream: one {@link LoopPool} per event loop, a limit over all of them, and the addresses
 * that they lead to.
 *
 * <p>Thread-safe. Loops share nothing but the count of places; a loop that finds none free asks the others to give up an
 * idle connection, so that what is idle on one loop never starves another.
 */
public final class ConnectionPool {

    private final UpstreamUrl url;
    private final @Nullable UpstreamTls tls;
    private final boolean ownsTls;
    private final Connector connector;
    private final NameService names;
    private volatile PoolPolicy policy;
    private final List<LoopPool> loops = new ArrayList<>();
    private final Endpoints endpoints;
    private final Clock clock;

    /** Places taken: connections that are open or being opened. */
    private final AtomicInteger taken = new AtomicInteger();

    private volatile boolean closed;

    /**
     * Its name is looked up from now on.
     *
     * @param tls null for an http url
     * @param eventLoops all loops that will use it, in an order of their own; not empty
     */
    public ConnectionPool(
            UpstreamUrl url,
            @Nullable UpstreamTls tls,
            PoolPolicy policy,
            List<EventLoop> eventLoops,
            Connector connector,
            NameService names,
            PoolListener listener,
            Clock clock) {
        this(url, tls, true, policy, eventLoops, connector, names, listener, clock);
    }

    private ConnectionPool(
            UpstreamUrl url,
            @Nullable UpstreamTls tls,
            boolean ownsTls,
            PoolPolicy policy,
            List<EventLoop> eventLoops,
            Connector connector,
            NameService names,
            PoolListener listener,
            Clock clock) {
        this.url = url;
        this.tls = tls;
        this.ownsTls = ownsTls;
        this.connector = connector;
        this.names = names;
        this.policy = policy;
        this.clock = clock;
        this.endpoints = new Endpoints(
                url, names, eventLoops.get(0), listener, () -> loops.forEach(LoopPool::followEndpointsSoon));
        for (EventLoop loop : eventLoops) {
            loops.add(new LoopPool(this, loop, connector, clock));
        }
        endpoints.refreshIfDue(clock.nanoTime());
        if (policy.minIdle() > 0) {
            loops.forEach(LoopPool::fillReserveSoon);
        }
    }

    /**
     * One more pool to the same place in the same way, with places and endpoints of its own, of which nothing is reported;
     * its owner closes it, before this one or soon after.
     */
    public ConnectionPool another(PoolPolicy itsPolicy, List<EventLoop> eventLoops) {
        return new ConnectionPool(url, tls, false, itsPolicy, eventLoops, connector, names, PoolListener.NONE, clock);
    }

    /** The view of one loop. @param loop its place in the list given at construction */
    public ConnectionSource on(int loop) {
        return loops.get(loop);
    }

    public UpstreamUrl url() {
        return url;
    }

    /** Closed with the pool. Null: its connections are plain. */
    public @Nullable UpstreamTls tls() {
        return tls;
    }

    /** Whether its connections are opened as this says; where they are plain, it does not matter. */
    public boolean isUnder(TlsPolicy other) {
        return tls == null || tls.policy().equals(other);
    }

    public int limit() {
        return policy.maxConnections();
    }

    /** The addresses of the url that are known. */
    public int endpointsInUse() {
        return endpoints.usable(clock.nanoTime());
    }

    public int endpointsEjected() {
        return endpoints.present().size() - endpointsInUse();
    }

    /** How many of {@code min-idle} connections a loop keeps. */
    int idleShare(LoopPool of) {
        int all = policy.minIdle();
        if (all == 0) {
            return 0;
        }
        int extra = loops.indexOf(of) < all % loops.size() ? 1 : 0;
        return all / loops.size() + extra;
    }

    Endpoints endpoints() {
        return endpoints;
    }

    public int idle() {
        return sum(LoopPool::idle);
    }

    public int connecting() {
        return sum(LoopPool::connecting);
    }

    public int waiting() {
        return sum(LoopPool::waiting);
    }

    /** Connections that carry an exchange; may be off by those that change their state while it is counted. */
    public int active() {
        return Math.max(0, taken.get() - idle() - connecting());
    }

    /**
     * Works under another policy from now on. Connections above a lower limit are closed: idle ones at once, the others as
     * they are released; so are all that were opened under another idle timeout or lifetime. A higher limit serves who
     * waits.
     */
    public void change(PoolPolicy next) {
        if (next != policy && !next.equals(policy)) {
            policy = next;
            loops.forEach(LoopPool::adjustSoon);
        }
    }

    /** Whether a connection that nobody uses is better closed: there are too many, or it keeps to times of before. */
    boolean isSurplus(PoolPolicy openedUnder) {
        PoolPolicy present = policy;
        return taken.get() > present.maxConnections()
                || !openedUnder.idleTimeout().equals(present.idleTimeout())
                || !openedUnder.maxLifetime().equals(present.maxLifetime());
    }

    /**
     * Closes what is idle, and everything else once it is released. Exchanges that began before may still open what they
     * need.
     */
    public void close() {
        closed = true;
        endpoints.close();
        if (tls != null && ownsTls) {
            tls.close();
        }
        loops.forEach(LoopPool::closeIdleSoon);
    }

    PoolPolicy policy() {
        return policy;
    }

    boolean isClosed() {
        return closed;
    }

    boolean tryTakePlace() {
        int before;
        do {
            before = taken.get();
            if (before >= policy.maxConnections()) {
                return false;
            }
        } while (!taken.compareAndSet(before, before + 1));
        return true;
    }

    void returnPlace(LoopPool from) {
        taken.decrementAndGet();
        offerPlace(from);
    }

    /**
     * A free place goes to the waiting loop that has the fewest, and of several that have as many to the next in turn: so
     * none starves beside a busier one.
     */
    void offerPlace(LoopPool from) {
        LoopPool neediest = null;
        int start = loops.indexOf(from) + 1;
        for (int i = 0; i < loops.size(); i++) {
            LoopPool loop = loops.get((start + i) % loops.size());
            if (loop.waiting() > 0 && (neediest == null || loop.places() < neediest.places())) {
                neediest = loop;
            }
        }
        if (neediest == from) {
            from.serveWaiting();
        } else if (neediest != null) {
            neediest.serveWaitingSoon();
        }
    }

    /** On any loop. */
    boolean anyWaits() {
        for (LoopPool loop : loops) {
            if (loop.waiting() > 0) {
                return true;
            }
        }
        return false;
    }

    boolean hasFreePlace() {
        return taken.get() < policy.maxConnections();
    }

    /** Whether another loop waits that has so much less than this one that a connection should be given up for it. */
    boolean othersWaitWithLess(LoopPool than) {
        if (hasFreePlace()) {
            return false;
        }
        for (LoopPool loop : loops) {
            if (loop != than && loop.waiting() > 0 && (loop.places() == 0 || loop.places() + 1 < than.places())) {
                return true;
            }
        }
        return false;
    }

    boolean othersWait(LoopPool than) {
        if (hasFreePlace()) {
            return false;
        }
        for (LoopPool loop : loops) {
            if (loop != than && loop.waiting() > 0) {
                return true;
            }
        }
        return false;
    }

    void askOthersForPlace(LoopPool asking) {
        for (LoopPool loop : loops) {
            if (loop != asking && loop.idle() > 0) {
                loop.giveUpIdleSoon(asking);
                return;
            }
        }
    }

    private int sum(ToIntFunction<LoopPool> count) {
        int sum = 0;
        for (LoopPool loop : loops) {
            sum += count.applyAsInt(loop);
        }
        return sum;
    }
}
