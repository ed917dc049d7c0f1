package io.resilienceproxy.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.resilienceproxy.metrics.LiveGauges.Live;
import io.resilienceproxy.resilience.Breaker;
import io.resilienceproxy.resilience.BreakerState;
import io.resilienceproxy.resilience.Bulkhead;
import io.resilienceproxy.resilience.RetryBudget;
import io.resilienceproxy.routing.Route;
import io.resilienceproxy.routing.RouteTable;
import io.resilienceproxy.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The meters of breakers, bulkheads and budgets, by name.
 *
 * <p>{@link #onTransition} may be called on any thread; the rest under the lock of {@link ProxyMeters}.
 */
final class ProtectionMeters {

    private final MeterRegistry registry;
    private final Clock clock;
    private final Map<String, BreakerMeters> breakers = new ConcurrentHashMap<>();
    private final LiveGauges<Bulkhead> bulkheads;
    private final LiveGauges<RetryBudget> budgets;

    ProtectionMeters(MeterRegistry registry, Clock clock) {
        this.registry = registry;
        this.clock = clock;
        this.bulkheads = new LiveGauges<>(registry, this::bulkheadGauges);
        this.budgets = new LiveGauges<>(registry, this::budgetGauges);
    }

    void onTransition(String breaker, BreakerState from, BreakerState to) {
        breaker(breaker).onTransition(from, to);
    }

    private BreakerMeters breaker(String name) {
        return breakers.computeIfAbsent(name, key -> new BreakerMeters(registry, clock, key));
    }

    void bind(RouteTable table) {
        Set<String> breakerNames = new HashSet<>();
        Set<String> bulkheadNames = new HashSet<>();
        Set<String> budgetNames = new HashSet<>();
        for (Route route : table.routes()) {
            for (Breaker breaker : route.breakers()) {
                if (breakerNames.add(breaker.name())) {
                    breaker(breaker.name()).bind(breaker);
                }
            }
            if (bulkheadNames.add(route.bulkhead().name())) {
                bulkheads.bind(route.bulkhead().name(), route.bulkhead());
            }
            if (budgetNames.add(Instances.budgetName(route))) {
                budgets.bind(Instances.budgetName(route), route.budget());
            }
        }
        breakers.forEach((name, meters) -> {
            if (!breakerNames.contains(name)) {
                meters.unbind();
            }
        });
        bulkheads.retain(bulkheadNames);
        budgets.retain(budgetNames);
    }

    void beforeScrape() {
        breakers.values().forEach(BreakerMeters::beforeScrape);
    }

    private List<Meter> bulkheadGauges(String name, Live<Bulkhead> live) {
        String upstream = Instances.upstreamOf(name);
        List<Meter> gauges = new ArrayList<>(Resilience4jMeters.bulkheadGauges(registry, name, live));
        gauges.add(MeterNames.BULKHEAD_AVAILABLE.gauge(
                registry, live, bulkhead -> bulkhead.get().available(), upstream, name));
        gauges.add(MeterNames.BULKHEAD_LIMIT.gauge(
                registry, live, bulkhead -> bulkhead.get().limit(), upstream, name));
        gauges.add(MeterNames.BULKHEAD_WAITING.gauge(
                registry, live, bulkhead -> bulkhead.get().waiting(), upstream, name));
        return gauges;
    }

    private List<Gauge> budgetGauges(String name, Live<RetryBudget> live) {
        String upstream = Instances.upstreamOf(name);
        return List.of(
                MeterNames.BUDGET_TOKENS.gauge(
                        registry, live, budget -> tokens(budget.get().balanceThousandths()), upstream, name),
                MeterNames.BUDGET_MAX.gauge(
                        registry, live, budget -> tokens(budget.get().maxThousandths()), upstream, name));
    }

    private static double tokens(int thousandths) {
        return thousandths / (double) RetryBudget.TOKEN;
    }
}
