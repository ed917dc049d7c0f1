package io.resilienceproxy.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.resilienceproxy.outcome.FailureKind;
import io.resilienceproxy.outcome.Rejection;
import java.util.EnumSet;

/** How the attempts of one route ended. Thread-safe. */
final class AttemptCounters {

    private final EnumCounters<StatusClass> responses;
    private final EnumCounters<FailureKind> failures;
    private final EnumCounters<Rejection> rejections;
    private final Counter abandoned;

    AttemptCounters(MeterRegistry registry, String upstream, String route) {
        this.responses = new EnumCounters<>(
                StatusClass.class,
                EnumSet.range(StatusClass.SUCCESSFUL, StatusClass.SERVER_ERROR),
                status -> MeterNames.ATTEMPTS.counter(registry, upstream, route, status.token()));
        this.failures = new EnumCounters<>(
                FailureKind.class,
                EnumSet.allOf(FailureKind.class),
                kind -> MeterNames.ATTEMPTS.counter(registry, upstream, route, kind.token()));
        this.rejections = new EnumCounters<>(
                Rejection.class,
                EnumSet.allOf(Rejection.class),
                rejection -> MeterNames.ATTEMPTS.counter(registry, upstream, route, rejection.token()));
        this.abandoned = MeterNames.ATTEMPTS.counter(registry, upstream, route, "abandoned");
    }

    void onResponse(int status) {
        responses.increment(StatusClass.of(status));
    }

    void onFailure(FailureKind kind) {
        failures.increment(kind);
    }

    void onRejection(Rejection rejection) {
        rejections.increment(rejection);
    }

    void onAbandoned() {
        abandoned.increment();
    }
}
