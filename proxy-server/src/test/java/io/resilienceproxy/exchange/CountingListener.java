package io.resilienceproxy.exchange;

import io.resilienceproxy.resilience.RetryReason;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts what exchanges report. */
final class CountingListener extends Silence {

    private int started;
    private int ended;
    private int retries;
    private final Map<Ending, Integer> endings = new EnumMap<>(Ending.class);

    int started() {
        return started;
    }

    int ended() {
        return ended;
    }

    int retries() {
        return retries;
    }

    int endings(Ending ending) {
        return endings.getOrDefault(ending, 0);
    }

    @Override
    public void onStarted() {
        started++;
    }

    @Override
    public void onRetry(RetryReason reason) {
        retries++;
    }

    @Override
    public void onEnded(
            Ending ending,
            @Nullable Reason reason,
            int status,
            int attempts,
            @Nullable String endpoint,
            long durationNanos) {
        ended++;
        endings.merge(ending, 1, Integer::sum);
    }
}
