package io.resilienceproxy.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.resilienceproxy.outcome.AttemptOutcome;
import io.resilienceproxy.outcome.AttemptOutcome.Failure;
import io.resilienceproxy.outcome.AttemptOutcome.Rejected;
import io.resilienceproxy.outcome.AttemptOutcome.Response;
import io.resilienceproxy.outcome.FailureKind;
import io.resilienceproxy.outcome.Rejection;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Function;

/** How attempts ended. Thread-safe. */
final class AttemptCounters {

    private final EnumCounters<StatusClass> responses;
    private final EnumCounters<FailureKind> failures;
    private final EnumCounters<Rejection> rejections;
    private final Counter abandoned;

    private AttemptCounters(Set<Rejection> rejections, Function<String, Counter> byResult) {
        this.responses = new EnumCounters<>(
                StatusClass.class,
                EnumSet.range(StatusClass.SUCCESSFUL, StatusClass.SERVER_ERROR),
                status -> byResult.apply(status.token()));
        this.failures = new EnumCounters<>(
                FailureKind.class, EnumSet.allOf(FailureKind.class), kind -> byResult.apply(kind.token()));
        this.rejections =
                new EnumCounters<>(Rejection.class, rejections, rejection -> byResult.apply(rejection.token()));
        this.abandoned = byResult.apply("abandoned");
    }

    static AttemptCounters ofRoute(MeterRegistry registry, String upstream, String route) {
        return new AttemptCounters(
                EnumSet.allOf(Rejection.class),
                result -> MeterNames.ATTEMPTS.counter(registry, upstream, route, result));
    }

    /** Of all routes, at one url; what is refused goes to none. */
    static AttemptCounters ofSite(MeterRegistry registry, String upstream, String site) {
        return new AttemptCounters(
                Set.of(), result -> MeterNames.SITE_ATTEMPTS.counter(registry, upstream, site, result));
    }

    void onEnded(AttemptOutcome outcome) {
        if (outcome instanceof Response response) {
            responses.increment(StatusClass.of(response.status()));
        } else if (outcome instanceof Failure failure) {
            failures.increment(failure.kind());
        } else if (outcome instanceof Rejected rejected) {
            rejections.increment(rejected.rejection());
        } else {
            abandoned.increment();
        }
    }
}
