package io.resilienceproxy.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.resilienceproxy.resilience.Breaker;
import io.resilienceproxy.resilience.BreakerState;
import io.resilienceproxy.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The meters of all breakers that ever bore one name. Transitions are counted from the first one on, also before the
 * breaker is bound: it exists before its route table does.
 *
 * <p>Thread-safe. The state is read once per scrape, so that exactly one of its series is 1 however it changes
 * meanwhile.
 */
final class BreakerMeters {

    private static final double NANOS_PER_SECOND = 1e9;

    private final MeterRegistry registry;
    private final Clock clock;
    private final String name;
    private final String upstream;
    private final List<Meter> gauges = new ArrayList<>();
    private @Nullable Breaker live;
    private volatile BreakerState scraped = BreakerState.CLOSED;

    /** Unbound: calls that are still under way may move the breaker, but nobody will see it leave open again. */
    private boolean gone;

    private boolean open;
    private long openSinceNanos;
    private long openNanos;

    BreakerMeters(MeterRegistry registry, Clock clock, String name) {
        this.registry = registry;
        this.clock = clock;
        this.name = name;
        this.upstream = Instances.upstreamOf(name);
        transitions(BreakerState.CLOSED, BreakerState.OPEN, 0);
        transitions(BreakerState.OPEN, BreakerState.HALF_OPEN, 0);
        transitions(BreakerState.HALF_OPEN, BreakerState.CLOSED, 0);
        transitions(BreakerState.HALF_OPEN, BreakerState.OPEN, 0);
        MeterNames.BREAKER_OPEN_TIME.functionCounter(registry, this, BreakerMeters::openSeconds, upstream, name);
    }

    void onTransition(BreakerState from, BreakerState to) {
        transitions(from, to, 1);
        track(to);
    }

    private void transitions(BreakerState from, BreakerState to, int count) {
        MeterNames.BREAKER_TRANSITIONS
                .counter(registry, upstream, name, from.token(), to.token())
                .increment(count);
    }

    /** From now on the gauges read this instance. */
    synchronized void bind(Breaker breaker) {
        live = breaker;
        gone = false;
        if (!gauges.isEmpty()) {
            return;
        }
        for (BreakerState state : BreakerState.values()) {
            gauges.add(MeterNames.BREAKER_STATE.gauge(
                    registry, this, meters -> meters.scraped == state ? 1 : 0, upstream, name, state.token()));
        }
        gauges.addAll(Resilience4jMeters.breakerGauges(registry, name, this));
    }

    /** The breaker is gone: its gauges go with it, what was counted stays. */
    synchronized void unbind() {
        gauges.forEach(registry::remove);
        gauges.clear();
        live = null;
        gone = true;
        track(BreakerState.CLOSED);
    }

    /**
     * Takes down what the scrape shows: the state, and the open time up to now. Where two transitions were reported in
     * the wrong order, this also puts the open time right.
     */
    synchronized void beforeScrape() {
        if (live != null) {
            scraped = live.state();
            track(scraped);
        }
    }

    /** As {@link #beforeScrape()} saw it. */
    BreakerState scrapedState() {
        return scraped;
    }

    synchronized @Nullable Breaker live() {
        return live;
    }

    private synchronized void track(BreakerState state) {
        long now = clock.nanoTime();
        if (open) {
            openNanos += now - openSinceNanos;
        }
        open = state == BreakerState.OPEN && !gone;
        openSinceNanos = now;
    }

    /** Up to the start of the scrape that asks. */
    private synchronized double openSeconds() {
        return openNanos / NANOS_PER_SECOND;
    }
}
