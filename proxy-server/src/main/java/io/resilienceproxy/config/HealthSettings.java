package io.resilienceproxy.config;

import io.resilienceproxy.policy.HealthPolicy;
import io.resilienceproxy.policy.HealthPolicy.Method;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** {@code health} (rules HC-1 to HC-4, HC-X2); there is none without a path. */
record HealthSettings(
        Setting<String> path, Setting<Method> method, Setting<Duration> ttl, Setting<Boolean> affectsReadiness) {

    /** A probe more often than this is traffic of its own. */
    private static final Duration SHORTEST_TTL = Duration.ofSeconds(1);

    static HealthSettings read(Section section) {
        return new HealthSettings(
                section.setting("path", Words.TARGET_OR_NONE, ""),
                section.setting("method", Words.oneOf(Method.class, Method::name), Method.GET),
                section.setting("ttl", new Durations(SHORTEST_TTL, Durations.DAY, null), HealthPolicy.DEFAULT_TTL),
                section.setting("affects-readiness", Words.BOOLEAN, false));
    }

    void check(Section section) {
        boolean saysMore = method.value() != Method.GET
                || !ttl.value().equals(HealthPolicy.DEFAULT_TTL)
                || affectsReadiness.value();
        if (path.isDefault() && path.valid() && saysMore) {
            section.problems()
                    .error(section.place().missing("path"), "missing (expected: a path such as /health, or none)");
        }
    }

    /** Null: there is no path. */
    @Nullable
    HealthPolicy toPolicy() {
        return path.value().isEmpty()
                ? null
                : new HealthPolicy(path.value(), method.value(), ttl.value(), affectsReadiness.value());
    }
}
