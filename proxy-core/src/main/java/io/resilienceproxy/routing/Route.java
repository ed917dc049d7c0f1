package io.resilienceproxy.routing;

import io.resilienceproxy.policy.RoutePolicy;
import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.resilience.Breaker;
import io.resilienceproxy.resilience.Bulkhead;
import io.resilienceproxy.resilience.RetryBudget;
import io.resilienceproxy.resilience.RetryDecider;
import java.util.List;

/**
 * Match, policy and the protections that hold for it: its own, or its upstream's. Keeps no counters.
 *
 * @param index its place among all routes of its table, from 0: what others keep per route, they keep in an array
 * @param upstream the policy of the upstream it leads to
 * @param breakers one for each url of the upstream, in their order
 */
public record Route(
        int index,
        UpstreamPolicy upstream,
        RoutePolicy policy,
        List<Breaker> breakers,
        Bulkhead bulkhead,
        RetryBudget budget,
        RetryDecider retries) {

    /** Of the preferred url. */
    public Breaker breaker() {
        return breakers.get(0);
    }

    public String upstreamName() {
        return upstream.name();
    }

    public String name() {
        return policy.name();
    }
}
