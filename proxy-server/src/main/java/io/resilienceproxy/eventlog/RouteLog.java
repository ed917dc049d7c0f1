package io.resilienceproxy.eventlog;

import io.resilienceproxy.exchange.Ending;
import io.resilienceproxy.exchange.ExchangeListener;
import io.resilienceproxy.exchange.QueueRefusal;
import io.resilienceproxy.exchange.Reason;
import io.resilienceproxy.outcome.AttemptOutcome;
import io.resilienceproxy.outcome.AttemptOutcome.Rejected;
import io.resilienceproxy.outcome.NotKept;
import io.resilienceproxy.outcome.Rejection;
import io.resilienceproxy.outcome.Verdict;
import io.resilienceproxy.policy.Mode;
import io.resilienceproxy.policy.Priority;
import io.resilienceproxy.policy.RoutePolicy.Protection;
import io.resilienceproxy.resilience.RetryDecision.Stop;
import io.resilienceproxy.resilience.RetryReason;
import io.resilienceproxy.routing.Route;
import io.resilienceproxy.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log lines of one route's exchanges. Thread-safe; called on event loops. */
final class RouteLog implements ExchangeListener {

    private static final Logger LOG = LoggerFactory.getLogger(EventLog.class);

    /** A caller that sends a malformed deadline sends it with every request. */
    private static final long MALFORMED_INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

    private final Clock clock;
    private final AccessLog access;
    private final String upstream;
    private final String route;
    private final String deadlineHeader;
    private final Burst bulkheadRefusals;
    private final Burst budgetRefusals;
    private final AtomicInteger malformed = new AtomicInteger();
    private final AtomicLong nextMalformedNanos;

    RouteLog(Clock clock, EventLog log, AccessLog access, Route route) {
        this.clock = clock;
        this.access = access;
        this.upstream = route.upstreamName();
        this.route = route.name();
        this.deadlineHeader = route.policy().deadline().header();
        String system = upstream;
        // Said only where nothing was refused.
        String suffix = route.policy().mode() == Mode.OBSERVE ? " mode=observe" : "";
        String bulkhead = route.bulkhead().name();
        String budget =
                route.policy().own().contains(Protection.RETRY_BUDGET) ? upstream + "." + route.name() : upstream;
        this.bulkheadRefusals = log.burst(
                "bulkhead " + bulkhead + suffix,
                count -> LOG.warn("bulkhead full system={} bulkhead={} count={}{}", system, bulkhead, count, suffix));
        this.budgetRefusals = log.burst(
                "budget " + budget + suffix,
                count -> LOG.warn(
                        "retry budget exhausted system={} budget={} count={}{}", system, budget, count, suffix));
        this.nextMalformedNanos = new AtomicLong(clock.nanoTime());
    }

    @Override
    public void onStarted() {}

    @Override
    public void onDeadlineMalformed() {
        malformed.incrementAndGet();
        long now = clock.nanoTime();
        long next = nextMalformedNanos.get();
        if (now - next >= 0 && nextMalformedNanos.compareAndSet(next, now + MALFORMED_INTERVAL_NANOS)) {
            LOG.warn(
                    "malformed deadline system={} route={} header={} count={}",
                    upstream,
                    route,
                    deadlineHeader,
                    malformed.getAndSet(0));
        }
    }

    @Override
    public void onBreakerRefused(int site) {}

    @Override
    public void onAttemptEnded(int site, AttemptOutcome outcome, Verdict verdict, long headNanos) {
        if (outcome instanceof Rejected rejected) {
            onWouldReject(rejected.rejection());
        }
    }

    @Override
    public void onWouldReject(Rejection rejection) {
        if (rejection == Rejection.BULKHEAD_FULL) {
            bulkheadRefusals.onEvent(clock.nanoTime());
        }
    }

    @Override
    public void onRetry(RetryReason reason) {}

    @Override
    public void onRetryRefused(Stop stop) {
        onWouldRefuseRetry(stop);
    }

    @Override
    public void onWouldRefuseRetry(Stop stop) {
        if (stop == Stop.BUDGET_EXHAUSTED) {
            budgetRefusals.onEvent(clock.nanoTime());
        }
    }

    @Override
    public void onShed(Priority priority, QueueRefusal refusal) {}

    @Override
    public void onRetriedAbove() {}

    @Override
    public void onDegradedDeclined() {}

    @Override
    public void onNotKept(NotKept why) {}

    @Override
    public void onEnded(
            Ending ending,
            @Nullable Reason reason,
            int status,
            int attempts,
            @Nullable String endpoint,
            long durationNanos) {
        access.onEnded(upstream, route, ending, reason, status, attempts, endpoint, durationNanos);
    }
}
