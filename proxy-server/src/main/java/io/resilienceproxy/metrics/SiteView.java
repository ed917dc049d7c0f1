package io.resilienceproxy.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.resilienceproxy.metrics.LiveGauges.Live;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/** What is read of one url of an upstream at a scrape. */
record SiteView(IntSupplier idle, IntSupplier active, IntSupplier connecting, IntSupplier inUse, IntSupplier ejected) {

    /** @param alone the upstream has no other url: the connections to this one are the upstream's, and not shown twice */
    static List<Gauge> gauges(
            MeterRegistry registry, String upstream, String site, boolean alone, Live<SiteView> live) {
        List<Gauge> gauges = new ArrayList<>();
        gauges.add(MeterNames.ENDPOINTS.gauge(
                registry, live, view -> view.get().inUse().getAsInt(), upstream, site, "in-use"));
        gauges.add(MeterNames.ENDPOINTS.gauge(
                registry, live, view -> view.get().ejected().getAsInt(), upstream, site, "ejected"));
        if (!alone) {
            gauges.add(MeterNames.SITE_CONNECTIONS.gauge(
                    registry, live, view -> view.get().idle().getAsInt(), upstream, site, "idle"));
            gauges.add(MeterNames.SITE_CONNECTIONS.gauge(
                    registry, live, view -> view.get().active().getAsInt(), upstream, site, "active"));
            gauges.add(MeterNames.SITE_CONNECTIONS.gauge(
                    registry, live, view -> view.get().connecting().getAsInt(), upstream, site, "connecting"));
        }
        return gauges;
    }
}
