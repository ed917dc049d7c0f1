package io.resilienceproxy.eventlog;

import io.resilienceproxy.exchange.ExchangeListener;
import io.resilienceproxy.exchange.Reason;
import io.resilienceproxy.exchange.TrafficListener;
import io.resilienceproxy.policy.Logging;
import io.resilienceproxy.resilience.BreakerListener;
import io.resilienceproxy.resilience.BreakerState;
import io.resilienceproxy.routing.Route;
import io.resilienceproxy.time.Clock;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log lines of traffic and breakers (rule OBS-3). One instance outlives every route table.
 *
 * <p>Thread-safe. Reports come on event loops; a line is handed to an appender that never blocks. Nothing is formatted
 * for an exchange that gets no line.
 */
public final class EventLog implements TrafficListener, BreakerListener {

    private static final Logger LOG = LoggerFactory.getLogger(EventLog.class);

    private final Clock clock;
    private final AccessLog access;
    private final Map<String, Burst> bursts = new ConcurrentHashMap<>();

    public EventLog(Clock clock, Logging.Access access) {
        this.clock = clock;
        this.access = new AccessLog(access);
    }

    /** Which exchanges get an access line from now on. */
    public void setAccess(Logging.Access selected) {
        access.select(selected);
    }

    /**
     * Writes the lines of bursts that are over or have lasted long. To be called about once a second, on a thread that
     * carries no traffic.
     *
     * @param nowNanos of the clock that this log was made with
     */
    public void flush(long nowNanos) {
        bursts.values().forEach(burst -> burst.flush(nowNanos));
    }

    /** Writes what is still counted and not written: the last thing before the log is stopped. */
    public void flushAll() {
        long nowNanos = clock.nanoTime();
        bursts.values().forEach(burst -> burst.reportPending(nowNanos));
    }

    @Override
    public ExchangeListener forRoute(Route route) {
        return new RouteLog(clock, this, access, route);
    }

    /** Routes that share a protection share its burst, and so does the same route of a later table. */
    Burst burst(String key, IntConsumer report) {
        return bursts.computeIfAbsent(key, ignored -> new Burst(report));
    }

    @Override
    public void onConnectionOpened() {}

    @Override
    public void onConnectionClosed() {}

    @Override
    public void onRefused(Reason reason) {
        access.onRefused(reason);
    }

    @Override
    public void onTransition(String name, BreakerState from, BreakerState to, float failureRate, float slowCallRate) {
        LOG.warn(
                "circuit breaker transition system={} breaker={} prev_state={} new_state={} failure_rate={}"
                        + " slow_call_rate={}",
                systemOf(name),
                name,
                from.token(),
                to.token(),
                percent(failureRate),
                percent(slowCallRate));
    }

    /** The upstream that a protection belongs to: its name up to the dot or at sign, of which it cannot contain any. */
    private static String systemOf(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) == '.' || name.charAt(i) == '@') {
                return name.substring(0, i);
            }
        }
        return name;
    }

    /**
     * An address of an upstream is passed over for a time.
     *
     * @param site of its url
     * @param endpoint the address
     */
    public void onEjected(String upstream, String site, String endpoint) {
        LOG.warn("endpoint ejected system={} site={} endpoint={}", upstream, site, endpoint);
    }

    /** The name of a site could not be looked up. One line per burst. */
    public void onLookupFailed(String upstream, String site) {
        burst(
                        "lookup " + upstream + "@" + site,
                        count -> LOG.warn(
                                "host name not resolved, the last good answer holds system={} site={} count={}",
                                upstream,
                                site,
                                count))
                .onEvent(clock.nanoTime());
    }

    private static String percent(float rate) {
        return rate < 0 ? "n/a" : String.format(Locale.ROOT, "%.1f", rate);
    }
}
