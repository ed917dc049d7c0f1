package io.resilienceproxy.metrics;

import io.resilienceproxy.policy.RoutePolicy.Protection;
import io.resilienceproxy.routing.Route;

/** Names of protections: {@code upstream} where a route shares its upstream's, {@code upstream.route} where it has its own. */
final class Instances {

    private Instances() {}

    static String budgetName(Route route) {
        return route.policy().own().contains(Protection.RETRY_BUDGET)
                ? route.upstreamName() + "." + route.name()
                : route.upstreamName();
    }

    /** The upstream that a protection belongs to: its name up to the dot, which an upstream's name cannot contain. */
    static String upstreamOf(String name) {
        int dot = name.indexOf('.');
        return dot < 0 ? name : name.substring(0, dot);
    }
}
