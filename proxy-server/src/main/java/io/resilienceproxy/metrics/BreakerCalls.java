package io.resilienceproxy.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.resilienceproxy.outcome.Verdict;
import java.util.concurrent.TimeUnit;

/** What one route's attempts were to one breaker. Thread-safe. */
final class BreakerCalls {

    private final Counter rejections;
    private final Counter notPermitted;
    private final Timer successful;
    private final Timer failed;

    BreakerCalls(MeterRegistry registry, String upstream, String breaker, String mode) {
        this.rejections = MeterNames.BREAKER_REJECTIONS.counter(registry, upstream, breaker, mode);
        this.notPermitted = Resilience4jMeters.notPermittedCalls(registry, breaker);
        this.successful = Resilience4jMeters.calls(registry, breaker, "successful");
        this.failed = Resilience4jMeters.calls(registry, breaker, "failed");
    }

    void onRefused() {
        rejections.increment();
        notPermitted.increment();
    }

    void onSettled(Verdict verdict, long headNanos) {
        switch (verdict) {
            case SUCCESS -> successful.record(headNanos, TimeUnit.NANOSECONDS);
            case FAILURE -> failed.record(headNanos, TimeUnit.NANOSECONDS);
            case IGNORED -> {}
        }
    }
}
