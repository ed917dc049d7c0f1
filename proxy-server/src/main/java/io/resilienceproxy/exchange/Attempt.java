package io.resilienceproxy.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.resilienceproxy.http.ResponseHead;
import io.resilienceproxy.outcome.AttemptOutcome;
import io.resilienceproxy.outcome.Delivery;
import io.resilienceproxy.outcome.FailureKind;
import io.resilienceproxy.outcome.Rejection;
import io.resilienceproxy.outcome.TlsAlert;
import io.resilienceproxy.outcome.Verdict;
import io.resilienceproxy.pool.Connection;
import io.resilienceproxy.pool.ConnectionSource;
import io.resilienceproxy.pool.ConnectionSource.PendingConnection;
import io.resilienceproxy.pool.Endpoint;
import io.resilienceproxy.pool.ResponseHandler;
import io.resilienceproxy.pool.Tried;
import io.resilienceproxy.resilience.BreakerPermit;
import io.resilienceproxy.resilience.BulkheadWaiter;
import org.jspecify.annotations.Nullable;

/**
 * One try at the upstream, in request order: breaker, bulkhead, connection, send, response. It holds what it was given on
 * the way, and {@link #end} gives all of it back, once. An attempt that is over drops whatever still comes for it, so a
 * late answer can never reach another attempt.
 *
 * <p>Reports to its exchange; decides nothing. On the exchange's event loop. Longer than other files because a phase, what may
 * happen in it and what is given back at its end are read together.
 */
final class Attempt extends BulkheadWaiter implements ConnectionSource.Listener, ResponseHandler {

    enum Phase {
        /** Waits for a permit of the bulkhead. */
        QUEUED,
        CONNECTING,
        /** The request is being sent, or has been. */
        AWAITING_HEAD,
        /** The response is being relayed. */
        STREAMING,
        OVER
    }

    private final Exchange exchange;
    private final RouteBinding binding;
    private Phase phase = Phase.QUEUED;
    private SiteBinding site;
    private @Nullable BreakerPermit breakerPermit;
    private boolean holdsBulkheadPermit;
    private boolean queued;
    private @Nullable PendingConnection pending;
    private @Nullable Connection connection;
    private boolean redialled;
    private int status;

    /** When the upstream's part began: a wait in our own queue or for a place in our pool is not its slowness. */
    private long workStartNanos;

    private long headNanos = -1;
    private long lastActivityNanos;

    Attempt(Exchange exchange) {
        super(exchange.downstream().eventLoop(), exchange.priority());
        this.exchange = exchange;
        this.binding = exchange.binding();
        this.site = binding.sites[0];
    }

    /** Where it goes, once it has passed the breaker. */
    SiteBinding site() {
        return site;
    }

    Phase phase() {
        return phase;
    }

    /** The final status, 0 before the head. */
    int status() {
        return status;
    }

    /** To which the body flows; null while there is none. */
    @Nullable
    Connection connection() {
        return connection;
    }

    boolean mayHaveSent() {
        return connection != null && connection.mayHaveSent();
    }

    /**
     * Breaker before bulkhead: an open breaker never waits in a queue, and a full bulkhead gives the leave back uncounted.
     * Where they are observed only, the attempt goes on without what it was refused, and does not wait for it either.
     */
    void start() {
        workStartNanos = exchange.now();
        if (!passBreaker()) {
            return;
        }
        if (binding.route.bulkhead().tryAcquire(exchange.priority())) {
            onPermit();
            return;
        }
        if (binding.observes) {
            binding.listener.onWouldReject(Rejection.BULKHEAD_FULL);
            admitted();
            return;
        }
        if (binding.maxWaitNanos > 0 && isLate(workStartNanos)) {
            refuse(QueueRefusal.LATE);
            return;
        }
        queued = binding.maxWaitNanos > 0 && binding.route.bulkhead().enqueue(this);
        if (!queued) {
            refuse(QueueRefusal.FULL);
        } else if (phase == Phase.QUEUED) {
            armWait();
        }
    }

    private void armWait() {
        long waitEnds = workStartNanos + binding.maxWaitNanos;
        long late = exchange.lateNanos();
        exchange.armPhase(late - waitEnds < 0 ? late : waitEnds);
    }

    /** What is usual may have become less since the timer was set: then there is time left to wait. */
    private void onWaitTimer(long now) {
        if (isLate(now)) {
            refuse(QueueRefusal.LATE);
        } else if (workStartNanos + binding.maxWaitNanos - now <= 0) {
            refuse(QueueRefusal.TIMEOUT);
        } else {
            armWait();
        }
    }

    /** Served now, it would most likely end behind its deadline: the permit is worth more to somebody else. */
    private boolean isLate(long now) {
        return exchange.lateNanos() - now <= 0;
    }

    private void refuse(QueueRefusal refusal) {
        binding.listener.onShed(exchange.priority(), refusal);
        exchange.onRejected(refusal == QueueRefusal.LATE ? Rejection.DEADLINE_EXHAUSTED : Rejection.BULKHEAD_FULL);
    }

    /**
     * The first url whose breaker admits it: a preferred one that is half-open thus gets its probes. Where breakers are
     * observed only, they move nothing: it goes to the first.
     */
    private boolean passBreaker() {
        for (SiteBinding candidate : binding.sites) {
            breakerPermit = candidate.breaker.tryAcquire();
            if (breakerPermit != null) {
                site = candidate;
                return true;
            }
            binding.listener.onBreakerRefused(candidate.index);
            if (binding.observes) {
                binding.listener.onWouldReject(Rejection.CIRCUIT_OPEN);
                return true;
            }
        }
        exchange.onRejected(Rejection.CIRCUIT_OPEN);
        return false;
    }

    @Override
    protected void onPermit() {
        boolean hasWaited = queued;
        queued = false;
        holdsBulkheadPermit = true;
        if (hasWaited && isLate(exchange.now())) {
            refuse(QueueRefusal.LATE);
            return;
        }
        admitted();
    }

    @Override
    protected void onDisplaced() {
        queued = false;
        refuse(QueueRefusal.DISPLACED);
    }

    private void admitted() {
        workStartNanos = exchange.now();
        exchange.onAdmitted();
        connect(false);
    }

    private void connect(boolean fresh) {
        phase = Phase.CONNECTING;
        ConnectionSource source = site.connections(exchange.downstream().loopIndex());
        Tried tried = exchange.tried();
        PendingConnection asked = fresh ? source.connect(this, tried) : source.acquire(this, tried);
        if (phase == Phase.CONNECTING && asked != null) {
            pending = asked;
            exchange.armPhase(exchange.now() + binding.connectNanos);
        }
    }

    @Override
    public void onConnecting() {
        workStartNanos = exchange.now();
        exchange.armPhase(workStartNanos + binding.connectNanos);
    }

    @Override
    public void onConnected(Connection leased) {
        long now = exchange.now();
        if (pending != null && !pending.isConnecting()) {
            workStartNanos = now;
        }
        pending = null;
        connection = leased;
        leased.handler(this);
        long remainingMillis = exchange.deadline().remainingMillisForUpstream(now);
        if (remainingMillis <= 0) {
            exchange.onRejected(Rejection.DEADLINE_EXHAUSTED);
            return;
        }
        exchange.onTried(leased.endpoint());
        phase = Phase.AWAITING_HEAD;
        lastActivityNanos = now;
        // First the timer: a write may fail at once, and what follows from that sets another time.
        exchange.armPhase(now + binding.readNanos);
        exchange.send(leased, site, remainingMillis);
    }

    @Override
    public void onTlsAlert(TlsAlert alert) {
        exchange.onTlsAlert(alert);
    }

    @Override
    public void onConnectFailed(FailureKind kind, @Nullable Endpoint last) {
        pending = null;
        exchange.onTried(last);
        exchange.onFailed(kind, Delivery.NOT_SENT);
    }

    @Override
    public void onInformational(ResponseHead head) {
        exchange.onInformational(head);
    }

    @Override
    public void onHead(ResponseHead head) {
        headNanos = exchange.now() - workStartNanos;
        status = head.status();
        phase = Phase.STREAMING;
        binding.usualHead.record(headNanos);
        exchange.onHead(head);
    }

    @Override
    public void onUpgraded(ResponseHead head) {
        headNanos = exchange.now() - workStartNanos;
        status = head.status();
        phase = Phase.STREAMING;
        exchange.onUpgraded(head);
    }

    @Override
    public void onBody(ByteBuf piece) {
        exchange.onResponseBody(piece);
    }

    @Override
    public void onEnd(@Nullable HttpHeaders trailers) {
        exchange.onResponseEnd(trailers);
    }

    @Override
    public void onReadComplete() {
        touch();
        exchange.downstream().flush();
    }

    @Override
    public void onWritabilityChanged() {
        touch();
        exchange.body().resume();
    }

    @Override
    public void onFailure(FailureKind kind, boolean anythingReceived) {
        boolean sent = mayHaveSent();
        exchange.body().detach();
        boolean keepAliveRace = phase == Phase.AWAITING_HEAD
                && kind == FailureKind.RESET
                && !anythingReceived
                && !redialled
                && connection != null
                && connection.isReused();
        connection = null;
        if (keepAliveRace && exchange.mayRedial(sent)) {
            redialled = true;
            connect(true);
            return;
        }
        if (phase == Phase.STREAMING) {
            exchange.onBroken(Verdict.FAILURE);
        } else {
            exchange.onFailed(kind, sent ? Delivery.UNKNOWN : Delivery.NOT_SENT);
        }
    }

    /** The silence of the upstream is counted from here. */
    void touch() {
        lastActivityNanos = exchange.now();
    }

    /** The time of the current phase is up, or seems so: bytes since then move it. */
    void onPhaseTimer(long now) {
        switch (phase) {
            case QUEUED -> onWaitTimer(now);
            case CONNECTING -> {
                if (pending != null && pending.isConnecting()) {
                    exchange.onTried(pending.endpoint());
                    exchange.onFailed(pending.timeOut(), Delivery.NOT_SENT);
                } else {
                    exchange.onRejected(Rejection.POOL_EXHAUSTED);
                }
            }
            case AWAITING_HEAD, STREAMING -> onSilence(now);
            case OVER -> {}
        }
    }

    private void onSilence(long now) {
        if (exchange.waitsForCaller()) {
            lastActivityNanos = now;
        }
        long due = lastActivityNanos + binding.readNanos;
        if (due - now > 0) {
            exchange.armPhase(due);
        } else if (phase == Phase.STREAMING) {
            exchange.onBroken(Verdict.FAILURE);
        } else {
            exchange.onFailed(FailureKind.READ_TIMEOUT, mayHaveSent() ? Delivery.UNKNOWN : Delivery.NOT_SENT);
        }
    }

    /**
     * What an attempt counts as that ends before its answer through no act of the upstream: slow when it had lasted longer
     * than a slow call, else not at all. Otherwise impatient callers would hide a dead upstream.
     */
    Verdict verdictWhenCutShort() {
        boolean upstreamsTurn = phase == Phase.CONNECTING
                ? connection != null || pending != null && pending.isConnecting()
                : phase == Phase.AWAITING_HEAD && !exchange.waitsForCaller();
        return upstreamsTurn && exchange.now() - workStartNanos > binding.slowCallNanos
                ? Verdict.SUCCESS
                : Verdict.IGNORED;
    }

    /** Takes the connection out: the caller releases or aborts it. */
    Connection detachConnection() {
        Connection taken = connection;
        if (taken == null) {
            throw new IllegalStateException("attempt has no connection in phase " + phase);
        }
        connection = null;
        exchange.body().detach();
        return taken;
    }

    /** Gives everything back: the bulkhead's permit, the breaker's, the connection unless it was detached. Once. */
    void end(AttemptOutcome outcome, Verdict verdict) {
        if (phase == Phase.OVER) {
            throw new IllegalStateException("attempt ended twice");
        }
        phase = Phase.OVER;
        if (pending != null) {
            pending.cancel();
            pending = null;
        }
        if (connection != null) {
            detachConnection().abort();
        }
        if (queued) {
            leave();
        } else if (holdsBulkheadPermit) {
            binding.route.bulkhead().release(exchange.priority());
        }
        settleBreaker(verdict);
        binding.listener.onAttemptEnded(site.index, outcome, verdict, elapsedNanos());
    }

    /**
     * Tells the breaker; what comes later tells it nothing more. A failure status is a failure whatever its body, and the
     * decision about a retry must know what it did to the breaker; a long stream must not keep a probe for its whole life.
     */
    void settleBreaker(Verdict verdict) {
        if (breakerPermit != null) {
            breakerPermit.settle(verdict, elapsedNanos());
            breakerPermit = null;
        }
    }

    private long elapsedNanos() {
        return headNanos >= 0 ? headNanos : exchange.now() - workStartNanos;
    }
}
