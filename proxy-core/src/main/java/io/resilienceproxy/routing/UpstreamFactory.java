package io.resilienceproxy.routing;

import io.resilienceproxy.policy.RoutePolicy;
import io.resilienceproxy.policy.RoutePolicy.Protection;
import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.resilience.Breaker;
import io.resilienceproxy.resilience.Bulkhead;
import io.resilienceproxy.resilience.RetryBudget;
import io.resilienceproxy.resilience.RetryDecider;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongUnaryOperator;

/** Makes upstreams of policies: one breaker, bulkhead and budget each, and more where a route names its own. */
final class UpstreamFactory {

    private static final LongUnaryOperator FULL_JITTER =
            ceiling -> ThreadLocalRandom.current().nextLong(ceiling + 1);

    private final LiveParts parts;
    private int nextIndex;

    UpstreamFactory(LiveParts parts) {
        this.parts = parts;
    }

    List<Upstream> create(List<UpstreamPolicy> policies) {
        List<Upstream> upstreams = new ArrayList<>();
        policies.forEach(policy -> upstreams.add(create(policy)));
        return upstreams;
    }

    private Upstream create(UpstreamPolicy policy) {
        RoutePolicy shared = policy.defaultRoute();
        List<Breaker> breakers = parts.breakers(policy.name(), policy, shared.circuitBreaker());
        Bulkhead bulkhead = parts.bulkhead(policy.name(), shared.bulkhead());
        RetryBudget budget = parts.budget(policy.name(), shared.retry().budget());
        List<Route> routes = new ArrayList<>();
        List<RoutePolicy> inOrder = new ArrayList<>(policy.routes());
        inOrder.add(shared);
        for (RoutePolicy route : inOrder) {
            String name = policy.name() + "." + route.name();
            List<Breaker> routeBreakers = route.own().contains(Protection.CIRCUIT_BREAKER)
                    ? parts.breakers(name, policy, route.circuitBreaker())
                    : breakers;
            Bulkhead routeBulkhead =
                    route.own().contains(Protection.BULKHEAD) ? parts.bulkhead(name, route.bulkhead()) : bulkhead;
            RetryBudget routeBudget = route.own().contains(Protection.RETRY_BUDGET)
                    ? parts.budget(name, route.retry().budget())
                    : budget;
            RetryDecider retries =
                    new RetryDecider(route.retry(), route.timeouts().connect(), routeBudget, route.mode(), FULL_JITTER);
            routes.add(new Route(nextIndex++, policy, route, routeBreakers, routeBulkhead, routeBudget, retries));
        }
        return new Upstream(policy, breakers, bulkhead, budget, List.copyOf(routes));
    }
}
