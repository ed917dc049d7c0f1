package io.resilienceproxy.resilience;

import io.github.resilience4j.core.IntervalFunction;
import io.resilienceproxy.outcome.AttemptOutcome;
import io.resilienceproxy.outcome.AttemptOutcome.Failure;
import io.resilienceproxy.outcome.AttemptOutcome.Response;
import io.resilienceproxy.outcome.Delivery;
import io.resilienceproxy.policy.Mode;
import io.resilienceproxy.policy.RetryPolicy;
import java.time.Duration;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Whether an attempt is followed by another, and after what pause (rules RE-1 to RE-4, RFC 9110 section 9.2.2).
 *
 * <p>The checks stand in this order, and the budget is asked last of all: a retry that could not have followed costs
 * nothing. The ceilings of the pauses are Resilience4j's exponential intervals; the pause is uniform below its ceiling
 * (full jitter), so that the callers of a recovering upstream do not return in step.
 *
 * <p>Thread-safe.
 */
public final class RetryDecider {

    /** No {@code Retry-After} in the response. */
    public static final long NO_RETRY_AFTER = -1;

    private final RetryPolicy policy;
    private final long connectNanos;
    private final RetryBudget budget;
    private final boolean enforces;
    private final LongUnaryOperator jitter;
    private final long[] ceilingNanos;

    /**
     * @param policy at least one attempt; pauses of 0 are none, a first pause above the highest is cut to it
     * @param connect what another attempt needs at least to get anywhere
     * @param mode observe: breaker and budget are asked, and forbid nothing
     * @param jitter for a bound above 0, a number in [0, bound]
     */
    public RetryDecider(RetryPolicy policy, Duration connect, RetryBudget budget, Mode mode, LongUnaryOperator jitter) {
        this.enforces = mode == Mode.ENFORCE;
        this.policy = policy;
        this.connectNanos = connect.toNanos();
        this.budget = budget;
        this.jitter = jitter;
        this.ceilingNanos = ceilings(policy);
    }

    /** By the number of the attempt that the pause follows. */
    private static long[] ceilings(RetryPolicy policy) {
        long[] ceilings = new long[policy.maxAttempts()];
        long first = policy.waitDuration().toNanos();
        long highest = policy.maxWaitDuration().toNanos();
        if (first == 0 || highest == 0) {
            // No pauses: Resilience4j takes no interval of zero.
            return ceilings;
        }
        // Its intervals are plain numbers whatever their names say; nanoseconds keep what is below a millisecond.
        IntervalFunction intervals =
                IntervalFunction.ofExponentialBackoff(first, policy.exponentialBackoffMultiplier(), highest);
        for (int attempt = 1; attempt < ceilings.length; attempt++) {
            ceilings[attempt] = intervals.apply(attempt);
        }
        return ceilings;
    }

    /** Whether {@code retry-on} lists it: without that, nothing else need be asked. */
    public boolean isRetryable(AttemptOutcome outcome) {
        return reasonToRetry(outcome) != null;
    }

    /**
     * Decides after an attempt has ended and been settled.
     *
     * @param attempt the number of the attempt that ended, from 1
     * @param outcome how it ended
     * @param repeatable the method is listed, or the request carries the idempotency field
     * @param bodyWhole the request's body is whole in memory (or it has none)
     * @param otherLayer why another layer than this one is to retry, or nobody; null: this one may
     * @param circuitRefuses the breaker would refuse another attempt now
     * @param retryAfterNanos what the response asked for, 0 or more, or {@link #NO_RETRY_AFTER}
     * @param remainingNanos until the exchange's deadline
     */
    public RetryDecision decide(
            int attempt,
            AttemptOutcome outcome,
            boolean repeatable,
            boolean bodyWhole,
            RetryDecision.@Nullable Stop otherLayer,
            boolean circuitRefuses,
            long retryAfterNanos,
            long remainingNanos) {
        RetryReason reason = reasonToRetry(outcome);
        if (reason == null) {
            return RetryDecision.Stop.NOT_RETRYABLE;
        }
        if (otherLayer != null) {
            return otherLayer;
        }
        if (attempt >= policy.maxAttempts()) {
            return RetryDecision.Stop.ATTEMPTS_EXHAUSTED;
        }
        if (!bodyWhole || !(repeatable || wasNotSent(outcome))) {
            return RetryDecision.Stop.NOT_REPLAYABLE;
        }
        if (circuitRefuses && enforces) {
            return RetryDecision.Stop.CIRCUIT_OPEN;
        }
        long delayNanos = retryAfterNanos == NO_RETRY_AFTER ? pause(attempt) : retryAfterNanos;
        if (delayNanos > remainingNanos - connectNanos) {
            return RetryDecision.Stop.DEADLINE;
        }
        if (circuitRefuses) {
            return new RetryDecision.Retry(reason, delayNanos, RetryDecision.Stop.CIRCUIT_OPEN);
        }
        if (budget.tryWithdraw()) {
            return new RetryDecision.Retry(reason, delayNanos);
        }
        return enforces
                ? RetryDecision.Stop.BUDGET_EXHAUSTED
                : new RetryDecision.Retry(reason, delayNanos, RetryDecision.Stop.BUDGET_EXHAUSTED);
    }

    private long pause(int attempt) {
        long ceiling = ceilingNanos[attempt];
        return ceiling == 0 ? 0 : jitter.applyAsLong(ceiling);
    }

    private @Nullable RetryReason reasonToRetry(AttemptOutcome outcome) {
        RetryPolicy.RetryOn on = policy.retryOn();
        if (outcome instanceof Response response) {
            return on.statuses().contains(response.status()) ? RetryReason.STATUS : null;
        }
        if (outcome instanceof Failure failure) {
            return switch (failure.kind().group()) {
                case CONNECT -> on.connectFailure() ? RetryReason.CONNECT_FAILURE : null;
                case RESET -> on.reset() ? RetryReason.RESET : null;
                case TIMEOUT -> on.timeout() ? RetryReason.TIMEOUT : null;
                case BROKEN -> null;
            };
        }
        return null;
    }

    private static boolean wasNotSent(AttemptOutcome outcome) {
        return outcome instanceof Failure failure && failure.delivery() == Delivery.NOT_SENT;
    }
}
