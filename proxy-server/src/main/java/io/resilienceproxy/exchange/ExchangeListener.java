package io.resilienceproxy.exchange;

import io.resilienceproxy.outcome.AttemptOutcome;
import io.resilienceproxy.outcome.NotKept;
import io.resilienceproxy.outcome.Rejection;
import io.resilienceproxy.outcome.Verdict;
import io.resilienceproxy.policy.Priority;
import io.resilienceproxy.resilience.RetryDecision;
import io.resilienceproxy.resilience.RetryReason;
import org.jspecify.annotations.Nullable;

/**
 * What the exchanges of one route report. There is one instance per route, resolved when the route table is built, so
 * that nothing is looked up per request.
 *
 * <p>Called on event loops, from several of them at once: an implementation is thread-safe and must neither block nor
 * throw. Every {@link #onStarted()} is followed by exactly one {@link #onEnded}.
 */
public interface ExchangeListener {

    void onStarted();

    /** The caller's deadline field could not be read; the policy's call timeout holds. */
    void onDeadlineMalformed();

    /**
     * The breaker of a url does not admit an attempt, which then asks that of the next url. Where there is no other, it is
     * refused, or goes on where the breaker is observed only, as is told too.
     *
     * @param site the place of the url among those of the upstream
     */
    void onBreakerRefused(int site);

    /**
     * An attempt has ended and its permits are back.
     *
     * @param site the place of the url that it went to among those of the upstream; 0 where no breaker admitted it
     * @param outcome the fact
     * @param verdict what the breaker counted it as; {@link Verdict#IGNORED} where it was not asked
     * @param headNanos from the attempt's start to the response head, or to its end where there was none
     */
    void onAttemptEnded(int site, AttemptOutcome outcome, Verdict verdict, long headNanos);

    /** An attempt goes on without leave: the protection that refused it is observed only. */
    void onWouldReject(Rejection rejection);

    /** Another attempt will follow; a token was withdrawn for it, unless {@link #onWouldRefuseRetry} was called before. */
    void onRetry(RetryReason reason);

    /** An outcome that retry-on lists is not retried. */
    void onRetryRefused(RetryDecision.Stop stop);

    /** A retry takes place that would have been refused: the protection is observed only. */
    void onWouldRefuseRetry(RetryDecision.Stop stop);

    /** An attempt found no permit and was not served for that; the attempt's end follows. */
    void onShed(Priority priority, QueueRefusal refusal);

    /** The request is a retry of the layer above, and will not be retried again here. */
    void onRetriedAbove();

    /** There was a degraded answer to give, and the caller had said that it wants none. */
    void onDegradedDeclined();

    /** A good answer to a read of a route with {@code stale-if-error} was not kept; told once for each. */
    void onNotKept(NotKept why);

    /**
     * The exchange is over.
     *
     * @param reason why the proxy answered itself; null where it did not, or gave a degraded answer in place of a response
     * @param status the status that the caller was sent, 0 where it got none
     * @param attempts attempts made, rejected ones not counted
     * @param endpoint the address that it went to last, as in a url; null where it came to none
     * @param durationNanos from the request head to the end
     */
    void onEnded(
            Ending ending,
            @Nullable Reason reason,
            int status,
            int attempts,
            @Nullable String endpoint,
            long durationNanos);
}
