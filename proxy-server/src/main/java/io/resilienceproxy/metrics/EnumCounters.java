package io.resilienceproxy.metrics;

import io.micrometer.core.instrument.Counter;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;

/**
 * One counter per constant of an enum, found by its ordinal: counting neither looks up a name nor allocates.
 *
 * <p>The constants that are known to occur get their series at once, so that a first increase from 0 is seen by {@code
 * rate}; any other gets its series when it first occurs. Thread-safe.
 */
final class EnumCounters<E extends Enum<E>> {

    private final AtomicReferenceArray<Counter> counters;
    private final Function<E, Counter> create;

    /** @param create finds or makes the counter of a constant; the same counter each time */
    EnumCounters(Class<E> type, Set<E> known, Function<E, Counter> create) {
        this.create = create;
        this.counters = new AtomicReferenceArray<>(type.getEnumConstants().length);
        known.forEach(constant -> counters.set(constant.ordinal(), create.apply(constant)));
    }

    void increment(E constant) {
        Counter counter = counters.get(constant.ordinal());
        if (counter == null) {
            counter = create.apply(constant);
            counters.set(constant.ordinal(), counter);
        }
        counter.increment();
    }
}
