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

/** Several listeners as one. */
public final class TrafficListeners {

    private TrafficListeners() {}

    /** Reports everything to {@code first}, then to {@code second}; costs two calls and nothing else. */
    public static TrafficListener both(TrafficListener first, TrafficListener second) {
        return new Both(first, second);
    }

    private record Both(TrafficListener first, TrafficListener second) implements TrafficListener {

        @Override
        public ExchangeListener forRoute(Route route) {
            return new BothExchanges(first.forRoute(route), second.forRoute(route));
        }

        @Override
        public void onConnectionOpened() {
            first.onConnectionOpened();
            second.onConnectionOpened();
        }

        @Override
        public void onConnectionClosed() {
            first.onConnectionClosed();
            second.onConnectionClosed();
        }

        @Override
        public void onRefused(Reason reason) {
            first.onRefused(reason);
            second.onRefused(reason);
        }
    }

    private record BothExchanges(ExchangeListener first, ExchangeListener second) implements ExchangeListener {

        @Override
        public void onStarted() {
            first.onStarted();
            second.onStarted();
        }

        @Override
        public void onDeadlineMalformed() {
            first.onDeadlineMalformed();
            second.onDeadlineMalformed();
        }

        @Override
        public void onBreakerRefused(int site) {
            first.onBreakerRefused(site);
            second.onBreakerRefused(site);
        }

        @Override
        public void onAttemptEnded(int site, AttemptOutcome outcome, Verdict verdict, long headNanos) {
            first.onAttemptEnded(site, outcome, verdict, headNanos);
            second.onAttemptEnded(site, outcome, verdict, headNanos);
        }

        @Override
        public void onWouldReject(Rejection rejection) {
            first.onWouldReject(rejection);
            second.onWouldReject(rejection);
        }

        @Override
        public void onWouldRefuseRetry(RetryDecision.Stop stop) {
            first.onWouldRefuseRetry(stop);
            second.onWouldRefuseRetry(stop);
        }

        @Override
        public void onRetry(RetryReason reason) {
            first.onRetry(reason);
            second.onRetry(reason);
        }

        @Override
        public void onRetryRefused(RetryDecision.Stop stop) {
            first.onRetryRefused(stop);
            second.onRetryRefused(stop);
        }

        @Override
        public void onShed(Priority priority, QueueRefusal refusal) {
            first.onShed(priority, refusal);
            second.onShed(priority, refusal);
        }

        @Override
        public void onRetriedAbove() {
            first.onRetriedAbove();
            second.onRetriedAbove();
        }

        @Override
        public void onDegradedDeclined() {
            first.onDegradedDeclined();
            second.onDegradedDeclined();
        }

        @Override
        public void onNotKept(NotKept why) {
            first.onNotKept(why);
            second.onNotKept(why);
        }

        @Override
        public void onEnded(
                Ending ending,
                @Nullable Reason reason,
                int status,
                int attempts,
                @Nullable String endpoint,
                long durationNanos) {
            first.onEnded(ending, reason, status, attempts, endpoint, durationNanos);
            second.onEnded(ending, reason, status, attempts, endpoint, durationNanos);
        }
    }
}
