package io.resilienceproxy.routing;

import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.resilience.Breaker;
import io.resilienceproxy.resilience.Bulkhead;
import io.resilienceproxy.resilience.RetryBudget;
import java.util.List;

/**
 * One live upstream system: its policy and the protections that all its routes share unless they have their own.
 *
 * @param breakers one for each url, in their order
 * @param routes the listed ones in their order, the default route last
 */
public record Upstream(
        UpstreamPolicy policy, List<Breaker> breakers, Bulkhead bulkhead, RetryBudget budget, List<Route> routes) {

    public String name() {
        return policy.name();
    }

    /** Of the preferred url. */
    public Breaker breaker() {
        return breakers.get(0);
    }
}
