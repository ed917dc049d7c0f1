package io.resilienceproxy.metrics;

import io.resilienceproxy.policy.RoutePolicy.Protection;
import io.resilienceproxy.routing.Route;

/**
 * Names of protections: {@code upstream} where a route shares its upstream's, {@code upstream.route} where it has its own;
 * for one of several urls with {@code @host:port} behind it.
 */
final class Instances {

    private Instances() {}

    static String budgetName(Route route) {
        return route.policy().own().contains(Protection.RETRY_BUDGET)
                ? route.upstreamName() + "." + route.name()
                : route.upstreamName();
    }

    /** The upstream that a protection belongs to: its name up to the dot or at sign, of which it cannot contain any. */
    static String upstreamOf(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) == '.' || name.charAt(i) == '@') {
                return name.substring(0, i);
            }
        }
        return name;
    }
}
