package io.resilienceproxy.exchange;

import io.resilienceproxy.http.RequestHead;
import io.resilienceproxy.http.ResponseHead;
import io.resilienceproxy.http.RetryAfter;
import io.resilienceproxy.outcome.AttemptOutcome;
import io.resilienceproxy.policy.RetryPolicy;
import io.resilienceproxy.resilience.RetryDecider;
import io.resilienceproxy.resilience.RetryDecision;
import io.resilienceproxy.routing.Route;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether another attempt follows: asks the route's {@link RetryDecider} what an exchange knows, and reports what it
 * decides. One for each route; stateless.
 */
final class RetryGate {

    private final RetryDecider decider;
    private final RetryPolicy policy;
    private final ExchangeListener listener;
    private final BooleanSupplier circuitRefuses;

    /** @param circuitRefuses whether no breaker would let another attempt pass */
    RetryGate(Route route, ExchangeListener listener, BooleanSupplier circuitRefuses) {
        this.circuitRefuses = circuitRefuses;
        this.decider = route.retries();
        this.policy = route.policy().retry();
        this.listener = listener;
    }

    /** Nothing forbids that the request reaches the upstream twice: its method is listed, or it takes a key along. */
    boolean isRepeatable(RequestHead request) {
        if (policy.methods().contains(request.method())) {
            return true;
        }
        String key = request.fields().get(policy.idempotencyHeader());
        return key != null && !key.isEmpty() && request.forwards(policy.idempotencyHeader());
    }

    /**
     * Whether a request that may have been sent goes out once more because its pooled connection was dead. That is no retry,
     * and safe for a listed method; but where nothing is retried, a key alone is no leave to send twice.
     */
    boolean mayRedial(RequestHead request) {
        return policy.maxAttempts() > 1
                ? isRepeatable(request)
                : policy.methods().contains(request.method());
    }

    /**
     * Whether a retry follows an attempt that has been settled; it has taken its token from the budget then.
     *
     * @param head of the response, null where there was none
     * @param retriedAbove the request is a retry itself
     * @param retryAfterNanos as {@link RetryAfter#nanos} reads it
     */
    RetryDecision decide(
            AttemptHistory history,
            AttemptOutcome outcome,
            RequestHead request,
            boolean isBodyWhole,
            @Nullable ResponseHead head,
            boolean retriedAbove,
            long retryAfterNanos,
            long remainingNanos) {
        if (!decider.isRetryable(outcome)) {
            return RetryDecision.Stop.NOT_RETRYABLE;
        }
        RetryDecision decision = decider.decide(
                history.attempts(),
                outcome,
                isRepeatable(request),
                isBodyWhole,
                otherLayer(head, retriedAbove),
                circuitRefuses.getAsBoolean(),
                retryAfterNanos == RetryAfter.NONE ? RetryDecider.NO_RETRY_AFTER : retryAfterNanos,
                remainingNanos);
        if (decision instanceof RetryDecision.Stop stop) {
            listener.onRetryRefused(stop);
        } else if (decision instanceof RetryDecision.Retry retry && retry.overruled() != null) {
            listener.onWouldRefuseRetry(retry.overruled());
        }
        return decision;
    }

    private static RetryDecision.@Nullable Stop otherLayer(@Nullable ResponseHead head, boolean retriedAbove) {
        if (retriedAbove) {
            return RetryDecision.Stop.RETRIED_ABOVE;
        }
        return head != null && RetryLayers.isRefusal(head) ? RetryDecision.Stop.REFUSED_BELOW : null;
    }
}
