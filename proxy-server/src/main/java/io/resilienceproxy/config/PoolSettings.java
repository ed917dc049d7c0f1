package io.resilienceproxy.config;

import io.resilienceproxy.policy.PoolPolicy;
import java.time.Duration;

/** {@code pool}. */
record PoolSettings(
        Setting<Integer> maxConnections,
        Setting<Duration> idleTimeout,
        Setting<Duration> maxLifetime,
        Setting<Integer> minIdle) {

    static final int MOST_CONNECTIONS = 10_000;

    static PoolSettings read(Section section) {
        PoolPolicy defaults = PoolPolicy.DEFAULT;
        return new PoolSettings(
                section.setting("max-connections", Numbers.whole(1, MOST_CONNECTIONS), defaults.maxConnections()),
                section.setting("idle-timeout", Durations.positive(), defaults.idleTimeout()),
                section.setting("max-lifetime", Durations.positive(), defaults.maxLifetime()),
                section.setting("min-idle", Numbers.whole(0, MOST_CONNECTIONS), defaults.minIdle()));
    }

    /** Reports what is wrong together, once everything that is inherited is known. */
    void check(Section section) {
        if (Setting.allValid(minIdle, maxConnections) && minIdle.value() > maxConnections.value()) {
            section.problems()
                    .error(
                            Setting.nearest(section.place(), minIdle, maxConnections),
                            "min-idle is " + minIdle.value() + " (expected: at most pool.max-connections, which is "
                                    + maxConnections.value() + ")");
        }
    }

    PoolPolicy toPolicy() {
        return new PoolPolicy(maxConnections.value(), idleTimeout.value(), maxLifetime.value(), minIdle.value());
    }
}
