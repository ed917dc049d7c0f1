package io.resilienceproxy.config;

import io.resilienceproxy.policy.FallbackPolicy;
import io.resilienceproxy.policy.Mode;
import io.resilienceproxy.policy.Priority;
import io.resilienceproxy.policy.RouteMatch;
import io.resilienceproxy.policy.RoutePolicy;
import io.resilienceproxy.policy.RoutePolicy.Protection;
import java.util.EnumSet;
import java.util.Set;

/** How requests are treated: what upstreams, their routes and {@code defaults} can all say. */
record Treatment(
        Section section,
        Setting<Mode> mode,
        Setting<Integer> maxConnections,
        Setting<Integer> fallbackBytes,
        TimeoutSettings timeouts,
        DeadlineSettings deadline,
        BulkheadSettings bulkhead,
        CircuitBreakerSettings circuitBreaker,
        RetrySettings retry,
        FallbackSettings fallback) {

    /** Reports values that are wrong by themselves. */
    static Treatment read(Section section, Setting<Integer> maxConnections, Setting<Integer> fallbackBytes) {
        TimeoutSettings timeouts = TimeoutSettings.read(section.section("timeouts"));
        return new Treatment(
                section,
                section.setting("mode", Words.oneOf(Mode.class, Words::lowerCase), Mode.ENFORCE),
                maxConnections,
                fallbackBytes,
                timeouts,
                DeadlineSettings.read(section.section("deadline")),
                BulkheadSettings.read(section.section("bulkhead"), maxConnections),
                CircuitBreakerSettings.read(section.section("circuit-breaker"), timeouts.read()),
                RetrySettings.read(section.section("retry")),
                FallbackSettings.read(section.section("fallback")));
    }

    /** Reports values that are wrong together; only for what is in effect, because inheritance may still mend them. */
    void check(Set<Protection> own) {
        timeouts.check(section.section("timeouts"));
        deadline.check(section.section("deadline"), timeouts.call());
        new RetryChecks(section.section("retry"), retry).check(timeouts);
        fallback.check(section.section("fallback"));
        if (own.contains(Protection.BULKHEAD)) {
            bulkhead.check(section.section("bulkhead"), maxConnections);
        }
        if (own.contains(Protection.CIRCUIT_BREAKER)) {
            circuitBreaker.check(section.section("circuit-breaker"), timeouts.read());
        }
    }

    /** What this part of the file names itself, and a route therefore has for itself. */
    Set<Protection> own() {
        Set<Protection> own = EnumSet.noneOf(Protection.class);
        if (section.names("bulkhead")) {
            own.add(Protection.BULKHEAD);
        }
        if (section.names("circuit-breaker")) {
            own.add(Protection.CIRCUIT_BREAKER);
        }
        if (section.section("retry").names("budget")) {
            own.add(Protection.RETRY_BUDGET);
        }
        return own;
    }

    /** Whether it answers in other ways than the upstream does; an explanation repeats what is inherited. */
    boolean hasOtherFallbackThan(Treatment upstream) {
        FallbackPolicy policy = fallback.toPolicy(fallbackBytes.value());
        return policy.isOn() && !policy.equals(upstream.fallback.toPolicy(fallbackBytes.value()));
    }

    /** Notes what a route was found not to have for itself. */
    private void shareAllBut(Set<Protection> own) {
        if (!own.contains(Protection.BULKHEAD)) {
            section.share("bulkhead");
        }
        if (!own.contains(Protection.CIRCUIT_BREAKER)) {
            section.share("circuit-breaker");
        }
        if (!own.contains(Protection.RETRY_BUDGET)) {
            section.section("retry").share("budget");
        }
    }

    /** Of requests that match no route. */
    RoutePolicy toDefaultRoute() {
        return route(RoutePolicy.DEFAULT_NAME, RouteMatch.ANY, false, Priority.NORMAL, this, Set.of());
    }

    /**
     * Of a listed route. A breaker that it does not name is its upstream's, with the threshold that follows from the
     * upstream's timeouts and not from its own.
     */
    RoutePolicy toRoute(
            String name, RouteMatch match, boolean stream, Priority priority, Treatment upstream, Set<Protection> own) {
        shareAllBut(own);
        return route(name, match, stream, priority, upstream, own);
    }

    private RoutePolicy route(
            String name, RouteMatch match, boolean stream, Priority priority, Treatment upstream, Set<Protection> own) {
        CircuitBreakerSettings breaker =
                own.contains(Protection.CIRCUIT_BREAKER) ? circuitBreaker : upstream.circuitBreaker;
        return new RoutePolicy(
                name,
                match,
                mode.value(),
                timeouts.toPolicy(),
                deadline.toPolicy(),
                stream,
                priority,
                bulkhead.toPolicy(),
                breaker.toPolicy(),
                retry.toPolicy(),
                fallback.toPolicy(fallbackBytes.value()),
                own);
    }
}
