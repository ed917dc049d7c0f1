package io.resilienceproxy.routing;

import io.resilienceproxy.policy.RoutePolicy;
import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.resilience.Breaker;
import io.resilienceproxy.resilience.Bulkhead;
import io.resilienceproxy.resilience.RetryBudget;
import io.resilienceproxy.resilience.RetryDecider;

/**
 * Match, policy and the protections that hold for it: its own, or its upstream's. Keeps no counters.
 *
 * @param index its place among all routes of its table, from 0: what others keep per route, they keep in an array
 * @param upstream the policy of the upstream it leads to
 */
public record Route(
        int index,
        UpstreamPolicy upstream,
        RoutePolicy policy,
        Breaker breaker,
        Bulkhead bulkhead,
        RetryBudget budget,
        RetryDecider retries) {

    public String upstreamName() {
        return upstream.name();
    }

    public String name() {
        return policy.name();
    }
}
