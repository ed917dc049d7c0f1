package io.resilienceproxy.cli;

import io.resilienceproxy.admin.AdminPage;
import io.resilienceproxy.admin.AdminServer;
import io.resilienceproxy.admin.AdminViews;
import io.resilienceproxy.eventlog.EventLog;
import io.resilienceproxy.eventlog.LogSetup;
import io.resilienceproxy.exchange.TrafficListeners;
import io.resilienceproxy.metrics.ProxyMeters;
import io.resilienceproxy.metrics.Scrape;
import io.resilienceproxy.policy.Policy;
import io.resilienceproxy.policy.Shutdown;
import io.resilienceproxy.resilience.BreakerListener;
import io.resilienceproxy.routing.RouteTable;
import io.resilienceproxy.time.Clock;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A whole running proxy: the data path, its metrics, its log and the admin listener.
 *
 * <p>Started, drained and closed by its owner, on any thread but the event loops.
 */
public final class Proxy implements AutoCloseable {

    private static final long DRAIN_POLL_MILLIS = 20;

    private final Clock clock;
    private final EventLog log;
    private final ProxyMeters meters;
    private final RouteTable table;
    private final ProxyServer server;
    private final AdminServer admin;
    private final int adminPort;
    private final ScheduledExecutorService ticker;
    private volatile @Nullable String notReady;
    private volatile @Nullable Supplier<String> policyText;

    private Proxy(Policy policy, Clock clock) throws IOException {
        this.clock = clock;
        this.log = new EventLog(clock, policy.logging().access());
        this.meters = ProxyMeters.create(clock);
        BreakerListener breakers = (name, from, to, failureRate, slowCallRate) -> {
            meters.onTransition(name, from, to, failureRate, slowCallRate);
            log.onTransition(name, from, to, failureRate, slowCallRate);
        };
        this.table = RouteTable.from(policy, clock, breakers);
        this.server = ProxyServer.start(policy, table, TrafficListeners.both(meters, log), clock);
        bindMeters();
        this.admin = new AdminServer(AdminViews.of(this::metrics, accept -> policyPage(), () -> notReady));
        try {
            this.adminPort = admin.start(policy.admin().host(), policy.admin().port());
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
     * Starts to serve under a policy.
     *
     * @throws IOException when a port cannot be bound; nothing is left running
     */
    public static Proxy start(Policy policy, Clock clock) throws IOException {
        return new Proxy(policy, clock);
    }

    private void bindMeters() {
        meters.bind(table);
        server.pools()
                .forEach((name, pool) ->
                        meters.bindPool(name, pool::idle, pool::active, pool::connecting, pool::waiting, pool::limit));
        meters.bindDroppedLogLines(LogSetup::droppedLines);
        meters.bindBuild(VersionProvider.version());
        meters.configLoaded(true);
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

    public ProxyServer server() {
        return server;
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
     * the quiet period, at the latest until the timeout. Blocks; does not close.
     *
     * @return whether it became quiet in time
     */
    public boolean drain(Shutdown shutdown) {
        notReady = "draining";
        server.drain();
        long start = clock.nanoTime();
        CountDownLatch never = new CountDownLatch(1);
        try {
            while (clock.nanoTime() - start < shutdown.timeout().toNanos()) {
                if (server.quietNanos() >= shutdown.quietPeriod().toNanos()) {
                    return true;
                }
                if (never.await(DRAIN_POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                    return false;
                }
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
