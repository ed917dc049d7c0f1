package io.resilienceproxy.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * What is counted of one url of an upstream beside its attempts. Thread-safe; called on event loops.
 */
public final class SiteMeters {

    private final MeterRegistry registry;
    private final String upstream;
    private final String site;
    private final Counter ejections;
    private volatile Counter answered;
    private volatile Counter failed;

    SiteMeters(MeterRegistry registry, String upstream, String site) {
        this.registry = registry;
        this.upstream = upstream;
        this.site = site;
        this.ejections = MeterNames.ENDPOINT_EJECTIONS.counter(registry, upstream, site);
    }

    /** An address is passed over for a time. */
    public void onEjected() {
        ejections.increment();
    }

    /** The name was looked up; a url that holds an address never is, and has no such series. */
    public void onLookedUp(boolean hasAnswer) {
        if (failed == null) {
            answered = MeterNames.DNS_LOOKUPS.counter(registry, upstream, site, "answered");
            failed = MeterNames.DNS_LOOKUPS.counter(registry, upstream, site, "failed");
        }
        (hasAnswer ? answered : failed).increment();
    }
}
