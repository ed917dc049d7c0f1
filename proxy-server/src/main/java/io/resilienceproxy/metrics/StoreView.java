package io.resilienceproxy.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.resilienceproxy.metrics.LiveGauges.Live;
import java.util.List;
import java.util.function.LongSupplier;

/** What is read of one upstream's last good answers at a scrape. @param evictions never decreasing */
record StoreView(LongSupplier bytes, LongSupplier entries, LongSupplier evictions) {

    static List<Meter> gauges(MeterRegistry registry, String upstream, Live<StoreView> live) {
        return List.of(
                MeterNames.FALLBACK_BYTES.gauge(
                        registry, live, store -> store.get().bytes().getAsLong(), upstream),
                MeterNames.FALLBACK_ENTRIES.gauge(
                        registry, live, store -> store.get().entries().getAsLong(), upstream),
                MeterNames.FALLBACK_EVICTIONS.functionCounter(
                        registry, live, store -> store.get().evictions().getAsLong(), upstream));
    }
}
