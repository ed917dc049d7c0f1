package io.resilienceproxy.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.resilienceproxy.exchange.Ending;

/** What is counted over all upstreams: many of them degraded at once is another trouble than one. Thread-safe. */
final class TotalCounters {

    private final Counter exchanges;
    private final Counter degraded;

    TotalCounters(MeterRegistry registry) {
        this.exchanges = MeterNames.EXCHANGES.counter(registry);
        this.degraded = MeterNames.DEGRADED_EXCHANGES.counter(registry);
    }

    void onEnded(Ending ending) {
        exchanges.increment();
        if (ending.isDegraded()) {
            degraded.increment();
        }
    }
}
