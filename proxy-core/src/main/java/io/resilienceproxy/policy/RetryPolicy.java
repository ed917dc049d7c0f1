package io.resilienceproxy.policy;

import java.time.Duration;
import java.util.Set;

/**
 * When to call again.
 *
 * @param maxAttempts the first one included; 1 to 5
 * @param waitDuration ceiling of the first pause
 * @param exponentialBackoffMultiplier above 1
 * @param maxWaitDuration ceiling of every pause; the pause itself is uniform in [0, ceiling]
 * @param retryOn which outcomes are worth another attempt
 * @param methods replayed without a key; anything else only with the idempotency header
 * @param idempotencyHeader a request with this field may be replayed whatever its method
 * @param maxReplayBody bytes of request body kept for a replay; a longer body streams through and is never replayed
 * @param budget what bounds retries as a share of successes
 */
public record RetryPolicy(
        int maxAttempts,
        Duration waitDuration,
        double exponentialBackoffMultiplier,
        Duration maxWaitDuration,
        RetryOn retryOn,
        Set<String> methods,
        String idempotencyHeader,
        int maxReplayBody,
        BudgetPolicy budget) {

    public static final RetryPolicy DEFAULT = new RetryPolicy(
            3,
            Duration.ofMillis(100),
            2.0,
            Duration.ofSeconds(5),
            new RetryOn(true, true, true, StatusSet.SERVER_ERRORS.plus(429)),
            Set.of("GET", "HEAD", "OPTIONS"),
            "Idempotency-Key",
            64 * 1024,
            BudgetPolicy.DEFAULT);

    public RetryPolicy {
        methods = Set.copyOf(methods);
    }

    /** Which outcomes are worth another attempt. */
    public record RetryOn(boolean connectFailure, boolean reset, boolean timeout, StatusSet statuses) {}

    /**
     * The retry budget; whole thousandths of a token.
     *
     * @param depositThousandths what each success deposits: ratio x 1000
     * @param maxThousandths the highest balance; it starts half full
     */
    public record BudgetPolicy(int depositThousandths, int maxThousandths) {

        public static final BudgetPolicy DEFAULT = new BudgetPolicy(200, 10_000);
    }
}
