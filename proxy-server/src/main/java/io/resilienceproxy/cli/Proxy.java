package io.resilienceproxy.cli;

import io.resilienceproxy.admin.AdminPage;
import io.resilienceproxy.admin.AdminServer;
import io.resilienceproxy.admin.AdminView;
import io.resilienceproxy.admin.AdminViews;
import io.resilienceproxy.eventlog.EventLog;
import io.resilienceproxy.eventlog.LogSetup;
import io.resilienceproxy.exchange.TrafficListeners;
import io.resilienceproxy.fallback.AnswerStore;
import io.resilienceproxy.health.HealthPages;
import io.resilienceproxy.metrics.ProxyMeters;
import io.resilienceproxy.metrics.Scrape;
import io.resilienceproxy.metrics.SiteMeters;
import io.resilienceproxy.policy.Policy;
import io.resilienceproxy.policy.Problem;
import io.resilienceproxy.policy.Shutdown;
import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.policy.UpstreamUrl;
import io.resilienceproxy.pool.ConnectionPool;
import io.resilienceproxy.pool.Endpoint;
import io.resilienceproxy.pool.PoolListener;
import io.resilienceproxy.resilience.BreakerListener;
import io.resilienceproxy.routing.RouteTable;
import io.resilienceproxy.routing.Upstream;
import io.resilienceproxy.time.Clock;
import io.resilienceproxy.tls.CertificateDates;
import io.resilienceproxy.tls.UpstreamTls;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A whole running proxy: the data path, its metrics, its log and the admin listener.
 *
 * <p>Started, changed, drained and closed by its owner, on any thread but the event loops.
 */
public final class Proxy implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Proxy.class);
    private static final long DRAIN_POLL_MILLIS = 20;
    private static final String HEALTH = "/health";

    /** How long callers may take to see that an idle connection was half-closed. They are on the same machine. */
    private static final long LINGER_NANOS = 250_000_000L;

    private final Policy started;
    private final Clock clock;
    private final EventLog log;
    private final ProxyMeters meters;
    private final PolicyStatus status;
    private final BreakerListener breakers;
    private final ProxyServer server;
    private final HealthPages health;
    private final AdminServer admin;
    private final int adminPort;
    private final ScheduledExecutorService ticker;
    private volatile RouteTable table;
    private volatile Policy policy;
    private volatile @Nullable String notReady;
    private volatile @Nullable Supplier<String> policyText;
    private volatile Runnable quit = () -> {};

    private Proxy(Policy policy, Clock clock) throws IOException {
        this.started = policy;
        this.policy = policy;
        this.clock = clock;
        this.log = new EventLog(clock, policy.logging().access());
        this.meters = ProxyMeters.create(clock);
        this.status = new PolicyStatus(meters, clock);
        this.breakers = (name, from, to, failureRate, slowCallRate) -> {
            meters.onTransition(name, from, to, failureRate, slowCallRate);
            log.onTransition(name, from, to, failureRate, slowCallRate);
        };
        this.table = RouteTable.from(policy, clock, breakers);
        this.server = ProxyServer.start(
                policy,
                table,
                new Listeners(TrafficListeners.both(meters, log), this::siteListener, new CertificateEvents(meters)),
                clock);
        bindMeters();
        meters.bindDroppedLogLines(LogSetup::droppedLines);
        meters.bindBuild(VersionProvider.version());
        this.health = new HealthPages(() -> table, server::pools, server.healthChecks(), clock);
        Map<String, AdminView> views = AdminViews.with(
                AdminViews.of(this::metrics, accept -> policyPage(), this::whyNotReady),
                "/config",
                accept -> AdminPage.text(200, status.text()));
        Map<String, Runnable> actions = policy.admin().quit() ? Map.of("/quit", () -> quit.run()) : Map.of();
        this.admin =
                new AdminServer(AdminViews.indexed(views, Set.of(HEALTH)), Map.of(HEALTH, this::healthPage), actions);
        try {
            this.adminPort = admin.start(
                    policy.admin().address().host(), policy.admin().address().port());
        } catch (IOException e) {
            server.close();
            throw e;
        }
        this.ticker = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "event-log");
            thread.setDaemon(true);
            return thread;
        });
        ticker.scheduleWithFixedDelay(() -> log.flush(clock.nanoTime()), 1, 1, TimeUnit.SECONDS);
    }

    /**
     * Starts to serve under a policy that comes from no file.
     *
     * @throws IOException when a port cannot be bound; nothing is left running
     */
    public static Proxy start(Policy policy, Clock clock) throws IOException {
        return start(policy, "none", List.of(), clock);
    }

    /**
     * Starts to serve under a policy.
     *
     * @param hash of its file
     * @param warnings what was found in it
     * @throws IOException when a port cannot be bound; nothing is left running
     */
    static Proxy start(Policy policy, String hash, List<Problem> warnings, Clock clock) throws IOException {
        Proxy proxy = new Proxy(policy, clock);
        proxy.status.accepted(hash, warnings);
        return proxy;
    }

    /**
     * Goes over to another policy, whole or not at all. Exchanges keep what they began with; breakers, bulkheads, budgets
     * and pools of the same name live on, and nothing that was counted is reset. {@code threads} and {@code admin} are the
     * exception: they hold from the start to the end of the process, and a warning says so.
     *
     * <p>One call at a time, on a thread that may block; not on an event loop.
     *
     * @throws IOException naming every address that cannot be bound; nothing has changed
     */
    public void reload(Policy next) throws IOException {
        RouteTable last = table;
        table = server.replace(next, () -> RouteTable.from(next, last, clock, breakers));
        bindMeters();
        log.setAccess(next.logging().access());
        policy = next;
        if (next.threads() != started.threads() || !next.admin().equals(started.admin())) {
            LOG.warn(
                    "policy: threads={} and admin={} take effect with the next start of the process; now threads={}"
                            + " admin={}",
                    next.threads(),
                    next.admin(),
                    started.threads(),
                    started.admin());
        }
    }

    private void bindMeters() {
        meters.bind(table);
        for (Upstream upstream : table.upstreams()) {
            List<ConnectionPool> pools = server.pools(upstream.policy());
            meters.bindPool(
                    upstream.name(),
                    sum(pools, ConnectionPool::idle),
                    sum(pools, ConnectionPool::active),
                    sum(pools, ConnectionPool::connecting),
                    sum(pools, ConnectionPool::waiting),
                    sum(pools, ConnectionPool::limit));
            for (ConnectionPool pool : pools) {
                meters.bindSite(
                        upstream.policy(),
                        pool.url(),
                        pool::idle,
                        pool::active,
                        pool::connecting,
                        pool::endpointsInUse,
                        pool::endpointsEjected);
                if (pool.tls() != null) {
                    bindCertificates(upstream.name(), pool.url(), pool.tls());
                }
            }
        }
        Map<String, AnswerStore> stores = server.answerStores();
        meters.retainStores(stores.keySet());
        stores.forEach((name, store) -> meters.bindStore(name, store::bytes, store::entries, store::evictions));
    }

    private static IntSupplier sum(List<ConnectionPool> pools, ToIntFunction<ConnectionPool> count) {
        return () -> pools.stream().mapToInt(count).sum();
    }

    private PoolListener siteListener(UpstreamPolicy upstream, UpstreamUrl url) {
        SiteMeters counted = meters.forSite(upstream.name(), url);
        return new PoolListener() {
            @Override
            public void onEjected(Endpoint endpoint) {
                counted.onEjected();
                log.onEjected(upstream.name(), url.site(), endpoint.toString());
            }

            @Override
            public void onLookedUp(boolean answered) {
                counted.onLookedUp(answered);
                if (!answered) {
                    log.onLookupFailed(upstream.name(), url.site());
                }
            }
        };
    }

    private void bindCertificates(String upstream, UpstreamUrl url, UpstreamTls tls) {
        CertificateDates dates = tls.dates();
        meters.bindCertificates(
                upstream, url, dates::upstreamMillis, tls.hasOwnCertificate() ? dates::ownMillis : null);
        meters.bindTlsProvider(tls.provider().token());
    }

    private @Nullable String whyNotReady() {
        String upstream = notReady == null ? server.healthChecks().unreadyUpstream() : null;
        return upstream == null ? notReady : "the last probe of upstream " + upstream + " failed";
    }

    private @Nullable CompletionStage<AdminPage> healthPage(String below) {
        CompletionStage<HealthPages.Page> page = below.isEmpty() ? health.all() : health.of(below);
        return page == null ? null : page.thenApply(done -> AdminPage.json(done.status(), done.json()));
    }

    private AdminPage metrics(@Nullable String accept) {
        Scrape scrape = meters.scrape(accept);
        return new AdminPage(200, scrape.contentType(), scrape.body());
    }

    private AdminPage policyPage() {
        Supplier<String> text = policyText;
        return text == null
                ? AdminPage.text(404, "this policy comes without an explanation")
                : AdminPage.yaml(text.get());
    }

    /** From now on {@code /policy} shows this: what the policy in effect is, in YAML with secrets masked. */
    public void explainBy(Supplier<String> text) {
        policyText = text;
    }

    /** From now on a POST to {@code /quit} does this, where the policy has it. It must not block. */
    void quitBy(Runnable stop) {
        quit = stop;
    }

    public ProxyServer server() {
        return server;
    }

    /** The one in use. */
    public Policy policy() {
        return policy;
    }

    PolicyStatus status() {
        return status;
    }

    /** What protects the upstreams, for tests and views. */
    public RouteTable table() {
        return table;
    }

    public int adminPort() {
        return adminPort;
    }

    /**
     * Ends in order: no longer ready, responses ask callers to close, requests are still served until none was in flight for
     * the quiet period, at the latest until the timeout. Then connections between two requests are half-closed, so that
     * a request that crosses meets no reset, and callers have a moment to close them. Blocks; does not close the rest.
     *
     * @param haste asked again and again
     * @return whether it became quiet in time
     */
    boolean drain(Shutdown shutdown, Supplier<StopRequests.Haste> haste) {
        notReady = "draining";
        server.drain();
        long end = clock.nanoTime() + shutdown.timeout().toNanos();
        BooleanSupplier cut = () -> clock.nanoTime() - end >= 0 || haste.get() == StopRequests.Haste.AT_ONCE;
        boolean quiet = await(cut, () -> server.quietNanos() > patience(shutdown, haste.get()));
        if (quiet) {
            server.finish();
            long lingered = clock.nanoTime() + LINGER_NANOS;
            await(cut, () -> server.connections() == 0 || clock.nanoTime() - lingered >= 0 && server.quietNanos() > 0);
        }
        return quiet;
    }

    private static long patience(Shutdown shutdown, StopRequests.Haste haste) {
        return haste == StopRequests.Haste.NONE ? shutdown.quietPeriod().toNanos() : 0;
    }

    /** @return whether the condition came true before the cut did */
    private static boolean await(BooleanSupplier cut, BooleanSupplier condition) {
        CountDownLatch never = new CountDownLatch(1);
        try {
            while (!cut.getAsBoolean()) {
                if (condition.getAsBoolean()) {
                    return true;
                }
                never.await(DRAIN_POLL_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    /** Closes everything at once. */
    @Override
    public void close() {
        server.close();
        admin.stop();
        ticker.shutdownNow();
        log.flushAll();
    }
}
