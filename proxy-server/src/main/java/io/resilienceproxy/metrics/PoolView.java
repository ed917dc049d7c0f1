package io.resilienceproxy.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.resilienceproxy.metrics.LiveGauges.Live;
import java.util.List;
import java.util.function.IntSupplier;

/** What is read of one upstream's connections at a scrape. */
record PoolView(IntSupplier idle, IntSupplier active, IntSupplier connecting, IntSupplier waiting, IntSupplier limit) {

    static List<Gauge> gauges(MeterRegistry registry, String upstream, Live<PoolView> live) {
        return List.of(
                MeterNames.POOL_CONNECTIONS.gauge(
                        registry, live, pool -> pool.get().idle().getAsInt(), upstream, "idle"),
                MeterNames.POOL_CONNECTIONS.gauge(
                        registry, live, pool -> pool.get().active().getAsInt(), upstream, "active"),
                MeterNames.POOL_CONNECTIONS.gauge(
                        registry, live, pool -> pool.get().connecting().getAsInt(), upstream, "connecting"),
                MeterNames.POOL_WAITING.gauge(
                        registry, live, pool -> pool.get().waiting().getAsInt(), upstream),
                MeterNames.POOL_LIMIT.gauge(
                        registry, live, pool -> pool.get().limit().getAsInt(), upstream));
    }
}
