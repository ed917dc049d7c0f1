package io.resilienceproxy.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Gauges over named things that a reload replaces or takes away: the series stays and reads the new instance, or goes.
 *
 * <p>Owned by {@link ProxyMeters}, under its lock; the gauges are read on the thread that scrapes.
 */
final class LiveGauges<T> {

    /** What the gauges of one name read. */
    static final class Live<T> {
        private volatile T instance;

        private Live(T instance) {
            this.instance = instance;
        }

        T get() {
            return instance;
        }
    }

    private record Bound<T>(Live<T> live, List<? extends Meter> meters) {}

    private final MeterRegistry registry;
    private final BiFunction<String, Live<T>, List<? extends Meter>> register;
    private final Map<String, Bound<T>> byName = new HashMap<>();

    /** @param register makes the meters of a name; asked once, until the name is gone */
    LiveGauges(MeterRegistry registry, BiFunction<String, Live<T>, List<? extends Meter>> register) {
        this.registry = registry;
        this.register = register;
    }

    void bind(String name, T instance) {
        Bound<T> bound = byName.get(name);
        if (bound == null) {
            Live<T> live = new Live<>(instance);
            byName.put(name, new Bound<>(live, register.apply(name, live)));
        } else {
            bound.live().instance = instance;
        }
    }

    /** Removes the series of every other name. */
    void retain(Set<String> names) {
        byName.entrySet().removeIf(entry -> {
            if (names.contains(entry.getKey())) {
                return false;
            }
            entry.getValue().meters().forEach(registry::remove);
            return true;
        });
    }
}
