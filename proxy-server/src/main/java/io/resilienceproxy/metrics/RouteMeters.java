package io.resilienceproxy.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.resilienceproxy.exchange.Ending;
import io.resilienceproxy.exchange.ExchangeListener;
import io.resilienceproxy.exchange.QueueRefusal;
import io.resilienceproxy.exchange.Reason;
import io.resilienceproxy.outcome.AttemptOutcome;
import io.resilienceproxy.outcome.AttemptOutcome.Rejected;
import io.resilienceproxy.outcome.NotKept;
import io.resilienceproxy.outcome.Rejection;
import io.resilienceproxy.outcome.Verdict;
import io.resilienceproxy.policy.Priority;
import io.resilienceproxy.policy.UpstreamUrl;
import io.resilienceproxy.resilience.RetryDecision.Stop;
import io.resilienceproxy.resilience.RetryReason;
import io.resilienceproxy.routing.Route;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one route. All of them are resolved here, once: a report is a few array reads and additions.
 *
 * <p>Thread-safe; called on event loops.
 */
final class RouteMeters implements ExchangeListener {

    /** Why exchanges are refused or fail as a rule; what the listener refuses belongs to no route. */
    private static final Set<Reason> EXCHANGE_REASONS = EnumSet.range(Reason.CIRCUIT_OPEN, Reason.MALFORMED_RESPONSE);

    private static final Set<Ending> DEGRADED = EnumSet.of(Ending.DEGRADED_STALE, Ending.DEGRADED_DEFAULT);

    private final AtomicInteger inFlight;
    private final RequestTimers requests;
    private final AttemptCounters attempts;
    private final EnumCounters<Reason> ownAnswers;
    private final EnumCounters<RetryReason> retries;
    private final EnumCounters<Stop> retriesRefused;
    private final EnumCounters<Ending> degraded;
    private final Counter degradedDeclined;
    private final EnumCounters<NotKept> notKept;
    private final Counter retriedAbove;
    private final TotalCounters totals;
    private final Counter callerDepartures;
    private final Counter deadlineRefusals;
    private final Counter deadlineMalformed;
    private final Counter budgetExhausted;
    private final Counter bulkheadRejections;
    private final ShedCounters shed;

    /** By the url's place among those of the upstream; likewise the next. */
    private final BreakerCalls[] breakers;

    /** Empty where there is one url: its attempts are the route's. */
    private final AttemptCounters[] siteAttempts;

    /** @param inFlight shared with the meters that another route table had for this route */
    RouteMeters(MeterRegistry registry, Route route, AtomicInteger inFlight, TotalCounters totals) {
        String upstream = route.upstreamName();
        String name = route.name();
        String mode = route.policy().mode().token();
        this.inFlight = inFlight;
        this.totals = totals;
        boolean degrades = route.policy().fallback().isOn();
        this.requests = new RequestTimers(registry, upstream, name, degrades);
        this.degraded = new EnumCounters<>(
                Ending.class,
                degrades ? DEGRADED : EnumSet.noneOf(Ending.class),
                ending -> MeterNames.DEGRADED_ANSWERS.counter(registry, upstream, name, kind(ending)));
        this.retriedAbove = MeterNames.REQUESTS_RETRIED_ABOVE.counter(registry, upstream, name);
        this.degradedDeclined = MeterNames.DEGRADED_DECLINED.counter(registry, upstream, name);
        this.notKept = new EnumCounters<>(
                NotKept.class,
                keeps(route) ? EnumSet.allOf(NotKept.class) : EnumSet.noneOf(NotKept.class),
                why -> MeterNames.FALLBACK_NOT_KEPT.counter(registry, upstream, name, why.token()));
        this.attempts = AttemptCounters.ofRoute(registry, upstream, name);
        this.ownAnswers = new EnumCounters<>(
                Reason.class,
                EXCHANGE_REASONS,
                reason -> MeterNames.OWN_ANSWERS.counter(registry, upstream, name, reason.token()));
        this.retries = new EnumCounters<>(
                RetryReason.class,
                EnumSet.allOf(RetryReason.class),
                reason -> MeterNames.RETRIES.counter(registry, upstream, name, reason.token()));
        this.retriesRefused = new EnumCounters<>(
                Stop.class,
                EnumSet.complementOf(EnumSet.of(Stop.NOT_RETRYABLE)),
                stop -> MeterNames.RETRIES_REFUSED.counter(registry, upstream, name, stop.token()));
        this.callerDepartures = MeterNames.CALLER_DEPARTURES.counter(registry, upstream, name);
        this.deadlineRefusals = MeterNames.DEADLINE_REFUSALS.counter(registry, upstream, name);
        this.deadlineMalformed = MeterNames.DEADLINE_MALFORMED.counter(registry, upstream, name);
        this.budgetExhausted =
                MeterNames.BUDGET_EXHAUSTED.counter(registry, upstream, Instances.budgetName(route), mode);
        this.bulkheadRejections = MeterNames.BULKHEAD_REJECTIONS.counter(
                registry, upstream, route.bulkhead().name(), mode);
        this.shed = new ShedCounters(registry, upstream, route.bulkhead().name());
        this.breakers = route.breakers().stream()
                .map(breaker -> new BreakerCalls(registry, upstream, breaker.name(), mode))
                .toArray(BreakerCalls[]::new);
        List<UpstreamUrl> urls = route.upstream().urls();
        this.siteAttempts = urls.size() == 1
                ? new AttemptCounters[0]
                : urls.stream()
                        .map(url -> AttemptCounters.ofSite(registry, upstream, url.site()))
                        .toArray(AttemptCounters[]::new);
    }

    private static boolean keeps(Route route) {
        return route.policy().fallback().keepsAnswers() && !route.policy().stream();
    }

    private static String kind(Ending degraded) {
        return degraded == Ending.DEGRADED_STALE ? "stale" : "default";
    }

    @Override
    public void onStarted() {
        inFlight.incrementAndGet();
    }

    @Override
    public void onDeadlineMalformed() {
        deadlineMalformed.increment();
    }

    @Override
    public void onBreakerRefused(int site) {
        breakers[site].onRefused();
    }

    @Override
    public void onAttemptEnded(int site, AttemptOutcome outcome, Verdict verdict, long headNanos) {
        attempts.onEnded(outcome);
        if (outcome instanceof Rejected rejected) {
            onWouldReject(rejected.rejection());
        } else if (siteAttempts.length > 0) {
            siteAttempts[site].onEnded(outcome);
        }
        breakers[site].onSettled(verdict, headNanos);
    }

    @Override
    public void onWouldReject(Rejection rejection) {
        if (rejection == Rejection.BULKHEAD_FULL) {
            bulkheadRejections.increment();
        }
    }

    @Override
    public void onRetry(RetryReason reason) {
        retries.increment(reason);
    }

    @Override
    public void onRetryRefused(Stop stop) {
        retriesRefused.increment(stop);
        onWouldRefuseRetry(stop);
    }

    @Override
    public void onWouldRefuseRetry(Stop stop) {
        if (stop == Stop.BUDGET_EXHAUSTED) {
            budgetExhausted.increment();
        }
    }

    @Override
    public void onShed(Priority priority, QueueRefusal refusal) {
        shed.onShed(priority, refusal);
    }

    @Override
    public void onRetriedAbove() {
        retriedAbove.increment();
    }

    @Override
    public void onDegradedDeclined() {
        degradedDeclined.increment();
    }

    @Override
    public void onNotKept(NotKept why) {
        notKept.increment(why);
    }

    @Override
    public void onEnded(
            Ending ending,
            @Nullable Reason reason,
            int status,
            int attempts,
            @Nullable String endpoint,
            long durationNanos) {
        inFlight.decrementAndGet();
        requests.record(ending, status, durationNanos);
        if (ending == Ending.CALLER_LEFT) {
            callerDepartures.increment();
        }
        totals.onEnded(ending);
        if (ending.isDegraded()) {
            degraded.increment(ending);
            return;
        }
        if (reason != null) {
            ownAnswers.increment(reason);
        }
        if (reason == Reason.DEADLINE_EXHAUSTED) {
            deadlineRefusals.increment();
        }
    }
}
