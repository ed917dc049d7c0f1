package io.resilienceproxy.metrics;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.micrometer.tagged.BulkheadMetricNames;
import io.github.resilience4j.micrometer.tagged.CircuitBreakerMetricNames;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.resilienceproxy.metrics.LiveGauges.Live;
import io.resilienceproxy.resilience.Breaker;
import io.resilienceproxy.resilience.Bulkhead;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Resilience4j's own metrics under their own names (rule OBS-1), so that its dashboards and alerts work unchanged.
 *
 * <p>Names are taken from resilience4j-micrometer; its binders are not used. Their breaker binder listens to events, and
 * one listener makes every call allocate an event with a time-zoned date. Here the call timers are fed by the exchange's
 * reports, everything else is a gauge that costs nothing until it is scraped. Two further differences: a rate is 0, not
 * -1, while the window holds too few calls to tell; and {@code kind="ignored"} does not exist, because the proxy gives
 * an unjudged permit back instead of reporting an ignored error.
 */
final class Resilience4jMeters {

    private static final CircuitBreakerMetricNames BREAKER = CircuitBreakerMetricNames.ofDefaults();
    private static final BulkheadMetricNames BULKHEAD = BulkheadMetricNames.ofDefaults();
    private static final String NAME = "name";
    private static final String KIND = "kind";
    private static final String FAILED = "failed";
    private static final String SUCCESSFUL = "successful";

    private Resilience4jMeters() {}

    /** @param kind {@code successful} or {@code failed} */
    static Timer calls(MeterRegistry registry, String breaker, String kind) {
        return Timer.builder(BREAKER.getCallsMetricName())
                .description("Calls that the circuit breaker counted, by what it counted them as")
                .tag(NAME, breaker)
                .tag(KIND, kind)
                .register(registry);
    }

    static Counter notPermittedCalls(MeterRegistry registry, String breaker) {
        return Counter.builder(BREAKER.getNotPermittedCallsMetricName())
                .description("Calls that the circuit breaker refused")
                .tag(NAME, breaker)
                .tag(KIND, "not_permitted")
                .register(registry);
    }

    static List<Meter> breakerGauges(MeterRegistry registry, String breaker, BreakerMeters meters) {
        Tags name = Tags.of(NAME, breaker);
        List<Meter> gauges = new ArrayList<>();
        for (CircuitBreaker.State state : CircuitBreaker.State.values()) {
            gauges.add(Gauge.builder(BREAKER.getStateMetricName(), meters, of -> isIn(state, of))
                    .description("1 for the state of the circuit breaker")
                    .tags(name.and("state", state.name().toLowerCase(Locale.ROOT)))
                    .strongReference(true)
                    .register(registry));
        }
        String buffered = BREAKER.getBufferedCallsMetricName();
        String slow = BREAKER.getSlowCallsMetricName();
        Tags failed = name.and(KIND, FAILED);
        Tags successful = name.and(KIND, SUCCESSFUL);
        gauges.add(window(registry, buffered, failed, meters, CircuitBreaker.Metrics::getNumberOfFailedCalls));
        gauges.add(window(registry, buffered, successful, meters, CircuitBreaker.Metrics::getNumberOfSuccessfulCalls));
        gauges.add(window(registry, slow, failed, meters, CircuitBreaker.Metrics::getNumberOfSlowFailedCalls));
        gauges.add(window(registry, slow, successful, meters, CircuitBreaker.Metrics::getNumberOfSlowSuccessfulCalls));
        gauges.add(window(
                registry, BREAKER.getFailureRateMetricName(), name, meters, CircuitBreaker.Metrics::getFailureRate));
        gauges.add(window(
                registry, BREAKER.getSlowCallRateMetricName(), name, meters, CircuitBreaker.Metrics::getSlowCallRate));
        return gauges;
    }

    private static double isIn(CircuitBreaker.State state, BreakerMeters meters) {
        return meters.scrapedState().name().equals(state.name()) ? 1 : 0;
    }

    private static Gauge window(
            MeterRegistry registry,
            String metric,
            Tags tags,
            BreakerMeters meters,
            ToDoubleFunction<CircuitBreaker.Metrics> value) {
        return Gauge.builder(metric, meters, of -> {
                    Breaker live = of.live();
                    return live == null
                            ? 0
                            : Math.max(0, value.applyAsDouble(live.delegate().getMetrics()));
                })
                .description("From the circuit breaker's sliding window")
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    static List<Gauge> bulkheadGauges(MeterRegistry registry, String bulkhead, Live<Bulkhead> live) {
        return List.of(
                Gauge.builder(
                                BULKHEAD.getAvailableConcurrentCallsMetricName(),
                                live,
                                of -> of.get().available())
                        .description("Permits of the bulkhead that are free")
                        .tag(NAME, bulkhead)
                        .strongReference(true)
                        .register(registry),
                Gauge.builder(
                                BULKHEAD.getMaxAllowedConcurrentCallsMetricName(),
                                live,
                                of -> of.get().limit())
                        .description("Permits of the bulkhead in all")
                        .tag(NAME, bulkhead)
                        .strongReference(true)
                        .register(registry));
    }
}
