package io.resilienceproxy.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.resilienceproxy.exchange.Ending;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The request histograms of one route, found by ending and status class without a look-up. Those that exchanges end in
 * as a rule exist from the start; the few others appear when they first occur. Thread-safe.
 */
final class RequestTimers {

    private final MeterRegistry registry;
    private final String upstream;
    private final String route;
    private final AtomicReferenceArray<Timer> timers =
            new AtomicReferenceArray<>(Ending.values().length * StatusClass.COUNT);

    /** @param degrades whether exchanges of the route may be answered from a fallback */
    RequestTimers(MeterRegistry registry, String upstream, String route, boolean degrades) {
        this.registry = registry;
        this.upstream = upstream;
        this.route = route;
        prepare(
                Ending.RESPONSE,
                StatusClass.SUCCESSFUL,
                StatusClass.REDIRECTION,
                StatusClass.CLIENT_ERROR,
                StatusClass.SERVER_ERROR);
        prepare(Ending.RESPONSE_ABORTED, StatusClass.SUCCESSFUL);
        prepare(Ending.NOT_SENT, StatusClass.SERVER_ERROR);
        prepare(Ending.UNKNOWN, StatusClass.SERVER_ERROR);
        if (degrades) {
            prepare(Ending.DEGRADED_STALE, StatusClass.SUCCESSFUL);
            prepare(Ending.DEGRADED_DEFAULT, StatusClass.SUCCESSFUL);
        }
        prepare(Ending.CALLER_LEFT, StatusClass.NONE, StatusClass.SUCCESSFUL);
    }

    private void prepare(Ending ending, StatusClass... classes) {
        for (StatusClass status : classes) {
            create(ending, status);
        }
    }

    void record(Ending ending, int status, long durationNanos) {
        StatusClass statusClass = StatusClass.of(status);
        Timer timer = timers.get(index(ending, statusClass));
        if (timer == null) {
            timer = create(ending, statusClass);
        }
        timer.record(durationNanos, TimeUnit.NANOSECONDS);
    }

    private Timer create(Ending ending, StatusClass status) {
        Timer timer = MeterNames.REQUEST_DURATION.timer(registry, upstream, route, ending.token(), status.token());
        timers.set(index(ending, status), timer);
        return timer;
    }

    private static int index(Ending ending, StatusClass status) {
        return ending.ordinal() * StatusClass.COUNT + status.ordinal();
    }
}
