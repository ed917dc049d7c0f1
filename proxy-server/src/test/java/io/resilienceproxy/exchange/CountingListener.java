package io.resilienceproxy.exchange;

import io.resilienceproxy.outcome.AttemptOutcome;
import io.resilienceproxy.outcome.Rejection;
import io.resilienceproxy.outcome.Verdict;
import io.resilienceproxy.policy.Priority;
import io.resilienceproxy.resilience.RetryDecision;
import io.resilienceproxy.resilience.RetryReason;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counts what exchanges report. */
final class CountingListener implements ExchangeListener {

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
    public void onDeadlineMalformed() {}

    @Override
    public void onBreakerRefused(int site) {}

    @Override
    public void onAttemptEnded(int site, AttemptOutcome outcome, Verdict verdict, long headNanos) {}

    @Override
    public void onRetry(RetryReason reason) {
        retries++;
    }

    @Override
    public void onWouldReject(Rejection rejection) {}

    @Override
    public void onWouldRefuseRetry(RetryDecision.Stop stop) {}

    @Override
    public void onRetryRefused(RetryDecision.Stop stop) {}

    @Override
    public void onShed(Priority priority, QueueRefusal refusal) {}

    @Override
    public void onRetriedAbove() {}

    @Override
    public void onDegradedDeclined() {}

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
