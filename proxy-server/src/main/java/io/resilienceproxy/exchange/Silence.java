package io.resilienceproxy.exchange;

import io.resilienceproxy.outcome.AttemptOutcome;
import io.resilienceproxy.outcome.NotKept;
import io.resilienceproxy.outcome.Rejection;
import io.resilienceproxy.outcome.Verdict;
import io.resilienceproxy.policy.Priority;
import io.resilienceproxy.resilience.RetryDecision;
import io.resilienceproxy.resilience.RetryReason;
import io.resilienceproxy.routing.Route;
import org.jspecify.annotations.Nullable;

/** Listens to nothing: for exchanges that nobody counts, and for who cares about a few reports only. Stateless. */
public class Silence implements TrafficListener, ExchangeListener {

    @Override
    public ExchangeListener forRoute(Route route) {
        return this;
    }

    @Override
    public void onConnectionOpened() {}

    @Override
    public void onConnectionClosed() {}

    @Override
    public void onRefused(Reason reason) {}

    @Override
    public void onStarted() {}

    @Override
    public void onDeadlineMalformed() {}

    @Override
    public void onBreakerRefused(int site) {}

    @Override
    public void onAttemptEnded(int site, AttemptOutcome outcome, Verdict verdict, long headNanos) {}

    @Override
    public void onWouldReject(Rejection rejection) {}

    @Override
    public void onWouldRefuseRetry(RetryDecision.Stop stop) {}

    @Override
    public void onRetry(RetryReason reason) {}

    @Override
    public void onRetryRefused(RetryDecision.Stop stop) {}

    @Override
    public void onShed(Priority priority, QueueRefusal refusal) {}

    @Override
    public void onRetriedAbove() {}

    @Override
    public void onDegradedDeclined() {}

    @Override
    public void onNotKept(NotKept why) {}

    @Override
    public void onEnded(
            Ending ending,
            @Nullable Reason reason,
            int status,
            int attempts,
            @Nullable String endpoint,
            long durationNanos) {}
}
