package io.resilienceproxy.resilience;

import org.jspecify.annotations.Nullable;

/** What happens after an attempt. */
public sealed interface RetryDecision {

    /**
     * Another attempt, for which a token was withdrawn.
     *
     * @param delayNanos the pause before it, 0 or more
     * @param overruled what would have forbidden it, had the protections not been observed only; else null. Then no token
     *     was withdrawn
     */
    record Retry(
            RetryReason reason, long delayNanos, @Nullable Stop overruled) implements RetryDecision {

        public Retry(RetryReason reason, long delayNanos) {
            this(reason, delayNanos, null);
        }
    }

    /** The outcome stands. */
    enum Stop implements RetryDecision {
        /** Not an outcome that another attempt could mend. */
        NOT_RETRYABLE("not-retryable"),
        ATTEMPTS_EXHAUSTED("attempts-exhausted"),
        /** It may have happened, and nothing says that it may happen twice; or its body is no longer whole in memory. */
        NOT_REPLAYABLE("not-replayable"),
        CIRCUIT_OPEN("circuit-open"),
        /** The request is itself a retry of the layer above: that one decides. */
        RETRIED_ABOVE("retried-above"),
        /** A proxy below has refused it: asking again would add to what it is short of. */
        REFUSED_BELOW("refused-below"),
        /** The pause and one more connect do not fit what remains of the deadline. */
        DEADLINE("deadline"),
        BUDGET_EXHAUSTED("budget-exhausted");

        private final String token;

        Stop(String token) {
            this.token = token;
        }

        public String token() {
            return token;
        }
    }
}
