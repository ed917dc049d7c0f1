package io.resilienceproxy.config;

import io.resilienceproxy.policy.Priority;
import io.resilienceproxy.policy.RouteMatch;
import io.resilienceproxy.policy.RoutePolicy;
import io.resilienceproxy.policy.RoutePolicy.Protection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** {@code routes} of one upstream. */
final class RouteReader {

    private final Problems problems;
    private final Ledger ledger;
    private final Value upstreamValue;
    private final Value defaults;
    private final Treatment upstream;
    private final Map<String, Place> names = new HashMap<>();

    RouteReader(Problems problems, Ledger ledger, Value upstreamValue, Value defaults, Treatment upstream) {
        this.problems = problems;
        this.ledger = ledger;
        this.upstreamValue = upstreamValue;
        this.defaults = defaults;
        this.upstream = upstream;
    }

    List<RoutePolicy> read(Value.Sequence routes) {
        List<RoutePolicy> policies = new ArrayList<>();
        for (Value route : routes.items()) {
            if (route instanceof Value.Mapping mapping) {
                policies.add(route(mapping));
            }
        }
        return policies;
    }

    private RoutePolicy route(Value.Mapping route) {
        Section own = Section.of(problems, ledger, route, Layer.route(route));
        Setting<String> name = own.optional("name", Words.ROUTE_NAME, "");
        checkName(own, name);
        Setting<String> path = own.optional("path", Words.WHOLE_PATH, "");
        Setting<List<Setting<String>>> methods = own.optionalList("methods", Words.ANY_METHOD, "");
        if (path.isDefault()
                && path.valid()
                && methods.valid()
                && methods.value().isEmpty()) {
            problems.error(route.place().missing("path"), "missing (expected: a path, or methods, or both)");
        } else if (!methods.isDefault() && methods.value().isEmpty()) {
            problems.error(methods.place(), "an empty list (expected: a method, or no such key for all methods)");
        }
        Setting<Boolean> stream = own.setting("stream", Words.BOOLEAN, false);
        Setting<Priority> priority =
                own.setting("priority", Words.oneOf(Priority.class, Words::lowerCase), Priority.NORMAL);

        Section inheriting = Section.of(
                problems, ledger, route, Layer.route(route), Layer.upstream(upstreamValue), Layer.defaults(defaults));
        Treatment treatment = Treatment.read(inheriting, upstream.maxConnections(), upstream.fallbackBytes());
        if (own.names("fallback") && treatment.hasOtherFallbackThan(upstream)) {
            FallbackSettings.checkMethods(own, methods);
        }
        Set<Protection> protections = treatment.own();
        treatment.check(protections);
        Set<String> matched = methods.value().stream().map(Setting::value).collect(Collectors.toSet());
        RouteMatch match = new RouteMatch(path.value(), matched);
        return treatment.toRoute(name.value(), match, stream.value(), priority.value(), upstream, protections);
    }

    private void checkName(Section own, Setting<String> name) {
        if (name.place() == null) {
            if (name.valid()) {
                problems.error(own.place().missing("name"), "missing (expected: a name for metrics, such as reports)");
            }
            return;
        }
        Place first = names.putIfAbsent(name.value(), name.place());
        if (first != null) {
            problems.error(name.place(), name.value() + " (expected: another name; line " + first.line() + " has it)");
        }
    }
}
