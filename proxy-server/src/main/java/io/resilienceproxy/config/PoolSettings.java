package io.resilienceproxy.config;

import io.resilienceproxy.policy.PoolPolicy;
import java.time.Duration;

/** {@code pool}. */
record PoolSettings(Setting<Integer> maxConnections, Setting<Duration> idleTimeout, Setting<Duration> maxLifetime) {

    static final int MOST_CONNECTIONS = 10_000;

    static PoolSettings read(Section section) {
        PoolPolicy defaults = PoolPolicy.DEFAULT;
        return new PoolSettings(
                section.setting("max-connections", Numbers.whole(1, MOST_CONNECTIONS), defaults.maxConnections()),
                section.setting("idle-timeout", Durations.positive(), defaults.idleTimeout()),
                section.setting("max-lifetime", Durations.positive(), defaults.maxLifetime()));
    }

    PoolPolicy toPolicy() {
        return new PoolPolicy(maxConnections.value(), idleTimeout.value(), maxLifetime.value());
    }
}
