package io.resilienceproxy.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.resilienceproxy.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What certificates say about their time, and what became of changed files. Gauges under the lock of {@link ProxyMeters}. */
final class CertificateMeters {

    private static final double MILLIS_PER_DAY = Duration.ofDays(1).toMillis();

    private final MeterRegistry registry;
    private final Clock clock;
    private final List<Gauge> gauges = new ArrayList<>();
    private boolean showsProvider;

    CertificateMeters(MeterRegistry registry, Clock clock) {
        this.registry = registry;
        this.clock = clock;
    }

    /** Before the upstreams of another policy are bound. */
    void clear() {
        gauges.forEach(registry::remove);
        gauges.clear();
    }

    void bind(String upstream, String site, LongSupplier theirs, @Nullable LongSupplier own) {
        gauges.add(MeterNames.TLS_UPSTREAM_DAYS.gauge(registry, theirs, this::days, upstream, site));
        if (own != null) {
            gauges.add(MeterNames.TLS_OWN_DAYS.gauge(registry, own, this::days, upstream, site));
        }
        for (String result : List.of("success", "failure")) {
            MeterNames.TLS_RENEWALS.counter(registry, upstream, result);
        }
    }

    private double days(LongSupplier until) {
        long millis = until.getAsLong();
        return millis == Long.MIN_VALUE ? Double.NaN : (millis - clock.now().toEpochMilli()) / MILLIS_PER_DAY;
    }

    void renewed(String upstream, boolean used) {
        MeterNames.TLS_RENEWALS
                .counter(registry, upstream, used ? "success" : "failure")
                .increment();
    }

    void provider(String provider) {
        if (!showsProvider) {
            showsProvider = true;
            MeterNames.TLS_PROVIDER.gauge(registry, provider, ignored -> 1, provider);
        }
    }
}
