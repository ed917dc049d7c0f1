package io.resilienceproxy.resilience;

import io.resilienceproxy.policy.RetryPolicy.BudgetPolicy;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bounds retries as a share of successes, one per upstream: each success deposits a part of a token, a retry withdraws a
 * whole one. Counts whole thousandths of a token, so that ten deposits of 0.1 make exactly one.
 *
 * <p>Thread-safe and lock-free.
 */
public final class RetryBudget {

    public static final int TOKEN = 1000;

    private final int deposit;
    private final int max;
    private final AtomicInteger balance;

    /**
     * Starts half full, so that a fresh process may retry, but not for long.
     *
     * @throws IllegalArgumentException when a figure of the policy is negative
     */
    public RetryBudget(BudgetPolicy policy) {
        this.deposit = policy.depositThousandths();
        this.max = policy.maxThousandths();
        if (deposit < 0 || max < 0) {
            throw new IllegalArgumentException("retry budget: " + policy + " (expected: 0 or more)");
        }
        this.balance = new AtomicInteger(max / 2);
    }

    /** For a success; what goes over the maximum is lost. */
    public void deposit() {
        int before;
        int after;
        do {
            before = balance.get();
            after = deposit < max - before ? before + deposit : max;
            if (after == before) {
                return;
            }
        } while (!balance.compareAndSet(before, after));
    }

    /** Takes one token for a retry; false, and nothing taken, when less than one is left. */
    public boolean tryWithdraw() {
        int before;
        do {
            before = balance.get();
            if (before < TOKEN) {
                return false;
            }
        } while (!balance.compareAndSet(before, before - TOKEN));
        return true;
    }

    /** Thousandths of a token, 0 to {@link #maxThousandths()}. */
    public int balanceThousandths() {
        return balance.get();
    }

    public int maxThousandths() {
        return max;
    }
}
