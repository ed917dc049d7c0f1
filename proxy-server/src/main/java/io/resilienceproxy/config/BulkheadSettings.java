package io.resilienceproxy.config;

import io.resilienceproxy.policy.BulkheadPolicy;
import java.time.Duration;

/** {@code bulkhead}; its defaults follow from the pool (rules BH-3, ISO-2). */
record BulkheadSettings(
        Setting<Integer> maxConcurrentCalls, Setting<Duration> maxWaitDuration, Setting<Integer> maxWaiting) {

    private static final int MOST_CALLS = PoolSettings.MOST_CONNECTIONS;

    static BulkheadSettings read(Section section, Setting<Integer> maxConnections) {
        Setting<Integer> calls = section.setting(
                "max-concurrent-calls",
                Numbers.whole(1, MOST_CALLS),
                maxConnections.derive("0.8 x pool.max-connections", BulkheadPolicy::defaultConcurrentCalls));
        return new BulkheadSettings(
                calls,
                section.setting("max-wait-duration", Durations.orZero(), BulkheadPolicy.DEFAULT_MAX_WAIT),
                section.setting(
                        "max-waiting",
                        Numbers.whole(0, MOST_CALLS),
                        calls.derive("bulkhead.max-concurrent-calls", count -> count)));
    }

    void check(Section section, Setting<Integer> maxConnections) {
        Problems problems = section.problems();
        if (maxWaitDuration.valid() && maxWaitDuration.value().compareTo(BulkheadPolicy.DEFAULT_MAX_WAIT) > 0) {
            String wait = Durations.written(maxWaitDuration.value());
            problems.warning(
                    Setting.nearest(section.place(), maxWaitDuration), Rule.BH_3, wait + " (advised: at most 100ms)");
        }
        // A limit that nobody named follows from the pool; there is nothing to advise.
        if (maxConcurrentCalls.isDefault() || !Setting.allValid(maxConcurrentCalls, maxConnections)) {
            return;
        }
        int calls = maxConcurrentCalls.value();
        int connections = maxConnections.value();
        Place place = Setting.nearest(section.place(), maxConcurrentCalls, maxConnections);
        String found = "max-concurrent-calls is " + calls + " of pool.max-connections " + connections;
        if (calls * 10 > connections * 8) {
            int advised = BulkheadPolicy.defaultConcurrentCalls(connections);
            problems.warning(place, Rule.BH_3, found + " (advised: at most 0.8 x the pool, " + advised + ")");
        }
        if (connections * 10 < calls * 12) {
            int advised = (calls * 12 + 9) / 10;
            problems.warning(place, Rule.ISO_2, found + " (advised: a pool of 1.2 x the calls, " + advised + ")");
        }
    }

    BulkheadPolicy toPolicy() {
        return new BulkheadPolicy(maxConcurrentCalls.value(), maxWaitDuration.value(), maxWaiting.value());
    }
}
