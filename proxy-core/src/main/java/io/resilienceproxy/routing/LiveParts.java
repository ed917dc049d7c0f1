package io.resilienceproxy.routing;

import io.resilienceproxy.policy.BulkheadPolicy;
import io.resilienceproxy.policy.CircuitBreakerPolicy;
import io.resilienceproxy.policy.RetryPolicy.BudgetPolicy;
import io.resilienceproxy.policy.RoutePolicy.Protection;
import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.policy.UpstreamUrl;
import io.resilienceproxy.resilience.Breaker;
import io.resilienceproxy.resilience.BreakerListener;
import io.resilienceproxy.resilience.Bulkhead;
import io.resilienceproxy.resilience.RetryBudget;
import io.resilienceproxy.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The protections of a table that is being made: those of the table before it under the same names, else fresh ones. The
 * name alone decides, whatever else of an upstream has changed; what the last table did not have starts afresh, also if
 * an earlier one had it. The breaker of one of several urls belongs to its site: it lives on wherever in the list that
 * stands, and also when the list becomes a single url or comes from one, which gives it another name.
 *
 * <p>What lives on is changed by {@link #takeOver()}, and not before: a table that cannot be made leaves no trace.
 */
final class LiveParts {

    private final Clock clock;
    private final BreakerListener listener;
    private final Map<String, Breaker> breakers = new HashMap<>();
    /** By the owner and the site, whatever the name. */
    private final Map<String, Breaker> breakersOfSites = new HashMap<>();

    private final Map<String, Bulkhead> bulkheads = new HashMap<>();
    private final Map<String, RetryBudget> budgets = new HashMap<>();
    private final List<Runnable> changes = new ArrayList<>();

    LiveParts(@Nullable RouteTable previous, Clock clock, BreakerListener listener) {
        this.clock = clock;
        this.listener = listener;
        if (previous != null) {
            previous.upstreams().forEach(this::remember);
        }
    }

    private void remember(Upstream upstream) {
        remember(upstream.name(), upstream.policy(), upstream.breakers());
        bulkheads.put(upstream.name(), upstream.bulkhead());
        budgets.put(upstream.name(), upstream.budget());
        for (Route route : upstream.routes()) {
            if (route.policy().own().contains(Protection.CIRCUIT_BREAKER)) {
                remember(upstream.name() + "." + route.name(), upstream.policy(), route.breakers());
            }
            bulkheads.put(route.bulkhead().name(), route.bulkhead());
            if (route.policy().own().contains(Protection.RETRY_BUDGET)) {
                budgets.put(upstream.name() + "." + route.name(), route.budget());
            }
        }
    }

    private void remember(String owner, UpstreamPolicy upstream, List<Breaker> ofUrls) {
        for (int i = 0; i < ofUrls.size(); i++) {
            breakers.put(ofUrls.get(i).name(), ofUrls.get(i));
            breakersOfSites.put(site(owner, upstream.urls().get(i)), ofUrls.get(i));
        }
    }

    private static String site(String owner, UpstreamUrl url) {
        return owner + "@" + url.site();
    }

    /** @param owner name of the upstream, or {@code upstream.route} */
    List<Breaker> breakers(String owner, UpstreamPolicy upstream, CircuitBreakerPolicy policy) {
        return upstream.urls().stream()
                .map(url -> breaker(upstream.nameAt(owner, url), site(owner, url), policy))
                .toList();
    }

    private Breaker breaker(String name, String site, CircuitBreakerPolicy policy) {
        Breaker live = breakers.get(name);
        if (live != null) {
            changes.add(live.change(policy));
            return live;
        }
        Breaker fresh = new Breaker(name, policy, clock, listener);
        Breaker ofSite = breakersOfSites.get(site);
        if (ofSite != null) {
            changes.add(() -> fresh.continueFrom(ofSite, policy));
        }
        return fresh;
    }

    Bulkhead bulkhead(String name, BulkheadPolicy policy) {
        Bulkhead live = bulkheads.get(name);
        if (live == null) {
            return new Bulkhead(name, policy);
        }
        changes.add(live.change(policy));
        return live;
    }

    RetryBudget budget(String name, BudgetPolicy policy) {
        RetryBudget live = budgets.get(name);
        if (live == null) {
            return new RetryBudget(policy);
        }
        changes.add(live.change(policy));
        return live;
    }

    /** What lives on does so under its new policy from now on. */
    void takeOver() {
        changes.forEach(Runnable::run);
    }
}
