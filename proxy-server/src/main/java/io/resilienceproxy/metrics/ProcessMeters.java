package io.resilienceproxy.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;

/** The JVM and the process under Micrometer's usual names ({@code jvm_*}, {@code process_*}, {@code system_*}). */
final class ProcessMeters {

    private ProcessMeters() {}

    /** For the life of the process. Loads the management classes, which is why it waits for the first scrape. */
    static void bind(MeterRegistry registry) {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        gcMetricsOf(registry);
    }

    /** Never closed: it listens to the collectors as long as they collect. */
    @SuppressWarnings("resource")
    private static void gcMetricsOf(MeterRegistry registry) {
        new JvmGcMetrics().bindTo(registry);
    }
}
