package io.resilienceproxy.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.resilienceproxy.time.Clock;
import org.jspecify.annotations.Nullable;

/** What became of the policy file. Thread-safe; the gauges are read on the thread that scrapes. */
final class ConfigMeters {

    private static final double MILLIS_PER_SECOND = 1e3;

    private final MeterRegistry registry;
    private final Clock clock;
    private final Counter loads;
    private final Counter failedLoads;
    private volatile long lastSuccessMillis;
    private volatile boolean lastSucceeded;
    private volatile int errors;
    private volatile int warnings;
    private @Nullable String hash;
    private @Nullable Gauge inUse;

    ConfigMeters(MeterRegistry registry, Clock clock) {
        this.registry = registry;
        this.clock = clock;
        this.loads = MeterNames.CONFIG_LOADS.counter(registry, "success");
        this.failedLoads = MeterNames.CONFIG_LOADS.counter(registry, "failure");
        MeterNames.CONFIG_LAST_SUCCESS.gauge(registry, this, of -> of.lastSuccessMillis / MILLIS_PER_SECOND);
        MeterNames.CONFIG_LAST_LOAD_SUCCESSFUL.gauge(registry, this, of -> of.lastSucceeded ? 1 : 0);
        MeterNames.CONFIG_FINDINGS.gauge(registry, this, of -> of.errors, "error");
        MeterNames.CONFIG_FINDINGS.gauge(registry, this, of -> of.warnings, "warning");
    }

    synchronized void accepted(String newHash, int warningsFound) {
        lastSuccessMillis = clock.now().toEpochMilli();
        lastSucceeded = true;
        errors = 0;
        warnings = warningsFound;
        loads.increment();
        if (!newHash.equals(hash)) {
            if (inUse != null) {
                registry.remove(inUse);
            }
            hash = newHash;
            inUse = MeterNames.CONFIG_POLICY.gauge(registry, this, of -> 1, newHash);
        }
    }

    synchronized void rejected(int errorsFound, int warningsFound) {
        lastSucceeded = false;
        errors = errorsFound;
        warnings = warningsFound;
        failedLoads.increment();
    }
}
