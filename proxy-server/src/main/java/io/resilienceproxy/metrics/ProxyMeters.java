package io.resilienceproxy.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.resilienceproxy.exchange.ExchangeListener;
import io.resilienceproxy.exchange.Reason;
import io.resilienceproxy.exchange.TrafficListener;
import io.resilienceproxy.metrics.LiveGauges.Live;
import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.policy.UpstreamUrl;
import io.resilienceproxy.resilience.BreakerListener;
import io.resilienceproxy.resilience.BreakerState;
import io.resilienceproxy.routing.Route;
import io.resilienceproxy.routing.RouteTable;
import io.resilienceproxy.routing.Upstream;
import io.resilienceproxy.time.Clock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All meters of the process. One instance outlives every route table: counters of the same name and tags are found
 * again, so that a reload resets nothing; gauges are turned to the instances of the table that is bound.
 *
 * <p>Order: breakers report transitions here before {@link #bind} is called, since a table makes its breakers; they are
 * counted all the same. {@link #forRoute} belongs to putting a table into use, {@link #bind} comes right after it.
 *
 * <p>Thread-safe. The reports of traffic and breakers neither block on a scrape nor throw.
 */
public final class ProxyMeters implements TrafficListener, BreakerListener {

    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    /** What a data listener refuses before there is an exchange. */
    private static final Set<Reason> LISTENER_REASONS = refusals();

    private final PrometheusMeterRegistry registry;
    private final ProtectionMeters protections;
    private final LiveGauges<PoolView> pools;
    private final LiveGauges<StoreView> stores;
    private final TotalCounters totals;

    /** By upstream, {@code @} and site; apart, because a url that gets company has more gauges than one alone. */
    private final LiveGauges<SiteView> lonelySites;

    private final LiveGauges<SiteView> sites;
    private final Map<String, AtomicInteger> inFlight = new ConcurrentHashMap<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final EnumCounters<Reason> refused;
    private final ConfigMeters config;
    private final CertificateMeters certificates;

    /** Function counters hold their sources weakly; these would otherwise be collected. */
    private final List<Object> sources = new ArrayList<>();

    private boolean processBound;

    /** @param registry used by nobody else */
    public ProxyMeters(PrometheusMeterRegistry registry, Clock clock) {
        this.registry = registry;
        this.protections = new ProtectionMeters(registry, clock);
        this.pools = new LiveGauges<>(registry, (upstream, live) -> PoolView.gauges(registry, upstream, live));
        this.stores = new LiveGauges<>(registry, (upstream, live) -> StoreView.gauges(registry, upstream, live));
        this.totals = new TotalCounters(registry);
        this.lonelySites = new LiveGauges<>(registry, (key, live) -> siteGauges(key, true, live));
        this.sites = new LiveGauges<>(registry, (key, live) -> siteGauges(key, false, live));
        this.refused = new EnumCounters<>(
                Reason.class, LISTENER_REASONS, reason -> MeterNames.INBOUND_REFUSED.counter(registry, reason.token()));
        this.config = new ConfigMeters(registry, clock);
        this.certificates = new CertificateMeters(registry, clock);
        MeterNames.INBOUND_CONNECTIONS.gauge(registry, connections, AtomicInteger::get);
    }

    /** With a registry of its own, for those who know no Micrometer. */
    public static ProxyMeters create(Clock clock) {
        return new ProxyMeters(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT), clock);
    }

    private static Set<Reason> refusals() {
        Set<Reason> reasons = EnumSet.range(Reason.BAD_REQUEST, Reason.TOO_MANY_CONNECTIONS);
        reasons.addAll(EnumSet.of(Reason.NO_ROUTE, Reason.MISDIRECTED));
        return reasons;
    }

    /** Asked for the same route of a later table, it returns a listener that adds to the same series. */
    @Override
    public ExchangeListener forRoute(Route route) {
        AtomicInteger count = inFlight.computeIfAbsent(route.upstreamName() + "." + route.name(), key -> {
            AtomicInteger started = new AtomicInteger();
            MeterNames.REQUESTS_IN_FLIGHT.gauge(
                    registry, started, AtomicInteger::get, route.upstreamName(), route.name());
            return started;
        });
        return new RouteMeters(registry, route, count, totals);
    }

    @Override
    public void onConnectionOpened() {
        connections.incrementAndGet();
    }

    @Override
    public void onConnectionClosed() {
        connections.decrementAndGet();
    }

    @Override
    public void onRefused(Reason reason) {
        refused.increment(reason);
    }

    @Override
    public void onTransition(String name, BreakerState from, BreakerState to, float failureRate, float slowCallRate) {
        protections.onTransition(name, from, to);
    }

    /**
     * Turns the gauges to the breakers, bulkheads and budgets of this table. Those of protections and pools that it does
     * not have disappear; what was counted for them stays until the process ends.
     */
    public synchronized void bind(RouteTable table) {
        protections.bind(table);
        pools.retain(table.upstreams().stream().map(Upstream::name).collect(Collectors.toSet()));
        lonelySites.retain(siteKeys(table, true));
        sites.retain(siteKeys(table, false));
        certificates.clear();
    }

    private static Set<String> siteKeys(RouteTable table, boolean alone) {
        return table.upstreams().stream()
                .map(Upstream::policy)
                .filter(upstream -> alone == (upstream.urls().size() == 1))
                .flatMap(upstream -> upstream.urls().stream().map(url -> siteKey(upstream.name(), url)))
                .collect(Collectors.toSet());
    }

    /**
     * Shows an upstream's connections; called again for the pool that replaces it. The suppliers are asked on the thread
     * that scrapes.
     */
    public synchronized void bindPool(
            String upstream,
            IntSupplier idle,
            IntSupplier active,
            IntSupplier connecting,
            IntSupplier waiting,
            IntSupplier limit) {
        pools.bind(upstream, new PoolView(idle, active, connecting, waiting, limit));
    }

    /** Upstreams that are not among these keep no answers any more; theirs disappear. */
    public synchronized void retainStores(Set<String> names) {
        stores.retain(names);
    }

    /** Shows the last good answers of an upstream, or those that replace them. Asked on the thread that scrapes. */
    public synchronized void bindStore(
            String upstream, LongSupplier bytes, LongSupplier entries, LongSupplier evictions) {
        stores.bind(upstream, new StoreView(bytes, entries, evictions));
    }

    private List<Gauge> siteGauges(String key, boolean alone, Live<SiteView> live) {
        int at = key.indexOf('@');
        return SiteView.gauges(registry, key.substring(0, at), key.substring(at + 1), alone, live);
    }

    private static String siteKey(String upstream, UpstreamUrl url) {
        return upstream + "@" + url.site();
    }

    /**
     * Shows the connections to one url of an upstream, and its addresses, in use and ejected; like {@link #bindPool}, with
     * which it comes.
     *
     * @param upstream of the table that was bound last
     */
    public synchronized void bindSite(
            UpstreamPolicy upstream,
            UpstreamUrl url,
            IntSupplier idle,
            IntSupplier active,
            IntSupplier connecting,
            IntSupplier inUse,
            IntSupplier ejected) {
        LiveGauges<SiteView> kind = upstream.urls().size() == 1 ? lonelySites : sites;
        kind.bind(siteKey(upstream.name(), url), new SiteView(idle, active, connecting, inUse, ejected));
    }

    /** Counts what happens at one url; asked again for the same, it adds to the same series. */
    public SiteMeters forSite(String upstream, UpstreamUrl url) {
        return new SiteMeters(registry, upstream, url.site());
    }

    /**
     * Shows until when the certificates of one url are valid; called again for what replaces them. The suppliers are asked
     * on the thread that scrapes, for milliseconds of Unix time.
     *
     * @param theirs {@link Long#MIN_VALUE} while it is not known
     * @param own null where the upstream is shown none
     */
    public synchronized void bindCertificates(
            String upstream, UpstreamUrl url, LongSupplier theirs, @Nullable LongSupplier own) {
        certificates.bind(upstream, url.site(), theirs, own);
    }

    /** Certificate files have changed. @param used by new connections from now on */
    public void certificatesRenewed(String upstream, boolean used) {
        certificates.renewed(upstream, used);
    }

    /** With the first https upstream, once. */
    public synchronized void bindTlsProvider(String provider) {
        certificates.provider(provider);
    }

    /** @param dropped lines lost since the start, never decreasing */
    public synchronized void bindDroppedLogLines(LongSupplier dropped) {
        sources.add(dropped);
        MeterNames.LOG_LINES_DROPPED.functionCounter(registry, dropped, LongSupplier::getAsLong);
    }

    /** Once, at the start. */
    public synchronized void bindBuild(String version) {
        MeterNames.BUILD.gauge(registry, version, ignored -> 1, version);
    }

    /**
     * A policy was taken into use.
     *
     * @param hash of its file; its series replaces that of the last one
     */
    public void configAccepted(String hash, int warnings) {
        config.accepted(hash, warnings);
    }

    /** A policy file was refused; the policy before it stays. */
    public void configRejected(int errors, int warnings) {
        config.rejected(errors, warnings);
    }

    /**
     * Every series as it is now. Takes milliseconds: not for an event loop that carries traffic.
     *
     * @param accept the Accept field of the request: OpenMetrics where it names it, else the Prometheus text format
     */
    public synchronized Scrape scrape(@Nullable String accept) {
        if (!processBound) {
            processBound = true;
            ProcessMeters.bind(registry);
        }
        protections.beforeScrape();
        boolean openMetrics = accept != null && accept.contains("application/openmetrics-text");
        String contentType = openMetrics ? OPEN_METRICS : TEXT;
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        try {
            registry.scrape(body, contentType);
        } catch (IOException impossibleInMemory) {
            throw new UncheckedIOException(impossibleInMemory);
        }
        return new Scrape(contentType, body.toByteArray());
    }
}
