package io.resilienceproxy.config;

import io.resilienceproxy.policy.Policy;
import io.resilienceproxy.policy.RoutePolicy;
import io.resilienceproxy.policy.UpstreamPolicy;
import java.util.LinkedHashSet;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The policy in effect, as YAML in which each value says where it comes from: {@code default}; {@code derived} with the
 * formula; the layer that says it ({@code process}, {@code defaults}, {@code upstream}, {@code route}) with its line, and
 * the variables of the environment in it. Read as a policy file, it means the same policy, except where something is
 * masked: text from the environment that its writer was free to choose is shown as {@code ***}, of a url the path.
 *
 * <p>Immutable and thread-safe.
 */
public final class Explanation {

    private final String file;
    private final Policy policy;
    private final Ledger ledger;

    Explanation(String file, Policy policy, Ledger ledger) {
        this.file = file;
        this.policy = policy;
        this.ledger = ledger;
    }

    /** Of everything. */
    public String text() {
        return new ExplanationWriter(ledger).policy(file, policy);
    }

    /**
     * Of one upstream, or of one of its routes.
     *
     * @param selector {@code sber} or {@code sber.reports}; {@code sber.default} is what holds for requests of no route
     * @throws NoSuchElementException where the policy has no such upstream or route; the message names the nearest
     */
    public String text(String selector) {
        int dot = selector.indexOf('.');
        String name = dot < 0 ? selector : selector.substring(0, dot);
        UpstreamPolicy upstream = policy.upstreams().stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElseThrow(() -> unknown("upstream", name, upstreams()));
        ExplanationWriter writer = new ExplanationWriter(ledger);
        if (dot < 0) {
            return writer.upstream(upstream);
        }
        String route = selector.substring(dot + 1);
        if (route.equals(RoutePolicy.DEFAULT_NAME)) {
            return writer.defaultRoute(upstream);
        }
        for (int i = 0; i < upstream.routes().size(); i++) {
            if (upstream.routes().get(i).name().equals(route)) {
                return writer.route(upstream, i);
            }
        }
        throw unknown("route of " + name, route, routes(upstream));
    }

    private Set<String> upstreams() {
        Set<String> names = new LinkedHashSet<>();
        policy.upstreams().forEach(upstream -> names.add(upstream.name()));
        return names;
    }

    private static Set<String> routes(UpstreamPolicy upstream) {
        Set<String> names = new LinkedHashSet<>();
        upstream.routes().forEach(route -> names.add(route.name()));
        names.add(RoutePolicy.DEFAULT_NAME);
        return names;
    }

    private static NoSuchElementException unknown(String kind, String name, Set<String> known) {
        @Nullable String nearest = NearestKey.of(name, known);
        String hint =
                nearest == null ? " (known: " + String.join(", ", known) + ")" : " (did you mean \"" + nearest + "\"?)";
        return new NoSuchElementException("there is no " + kind + " \"" + Found.plain(name) + "\"" + hint);
    }
}
