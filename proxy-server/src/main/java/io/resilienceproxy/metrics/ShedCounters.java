package io.resilienceproxy.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.resilienceproxy.exchange.QueueRefusal;
import io.resilienceproxy.policy.Priority;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;

/** What one bulkhead sheds, by priority and cause; found by ordinal. Thread-safe. */
final class ShedCounters {

    private final List<EnumCounters<QueueRefusal>> byPriority;

    ShedCounters(MeterRegistry registry, String upstream, String bulkhead) {
        this.byPriority = Stream.of(Priority.values())
                .map(priority -> new EnumCounters<>(
                        QueueRefusal.class,
                        EnumSet.allOf(QueueRefusal.class),
                        cause -> MeterNames.BULKHEAD_SHED.counter(
                                registry, upstream, bulkhead, priority.token(), cause.token())))
                .toList();
    }

    void onShed(Priority priority, QueueRefusal refusal) {
        byPriority.get(priority.ordinal()).increment(refusal);
    }
}
