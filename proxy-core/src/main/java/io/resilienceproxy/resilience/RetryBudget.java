package io.resilienceproxy.resilience;

import io.resilienceproxy.policy.RetryPolicy.BudgetPolicy;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bounds retries as a share of successes, one per upstream: each success deposits a part of a token, a retry withdraws a
 * whole one. Counts whole thousandths of a token, so that ten deposits of 0.1 make exactly one.
 *
 * <p>It outlives its policy: {@link #change} gives it another, and it keeps its balance up to the new maximum.
 *
 * <p>Thread-safe and lock-free.
 */
public final class RetryBudget {

    public static final int TOKEN = 1000;

    private volatile int deposit;
    private volatile int max;
    private final AtomicInteger balance;

    /**
     * Starts half full, so that a fresh process may retry, but not for long.
     *
     * @throws IllegalArgumentException when a figure of the policy is negative
     */
    public RetryBudget(BudgetPolicy policy) {
        check(policy);
        this.deposit = policy.depositThousandths();
        this.max = policy.maxThousandths();
        this.balance = new AtomicInteger(policy.maxThousandths() / 2);
    }

    private static void check(BudgetPolicy policy) {
        if (policy.depositThousandths() < 0 || policy.maxThousandths() < 0) {
            throw new IllegalArgumentException("retry budget: " + policy + " (expected: 0 or more)");
        }
    }

    /**
     * Prepares another policy; it holds from when the returned step is run.
     *
     * @return to be run once, before the next change
     * @throws IllegalArgumentException when a figure of the policy is negative; nothing has changed
     */
    public Runnable change(BudgetPolicy policy) {
        check(policy);
        return () -> {
            deposit = policy.depositThousandths();
            max = policy.maxThousandths();
            balance.accumulateAndGet(policy.maxThousandths(), Math::min);
        };
    }

    /** For a success; what goes over the maximum is lost. */
    public void deposit() {
        int before;
        int after;
        do {
            before = balance.get();
            int highest = max;
            int part = deposit;
            after = part < highest - before ? before + part : highest;
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

    /** Thousandths of a token, 0 to {@link #maxThousandths()}; above it for a moment while a change lowers that. */
    public int balanceThousandths() {
        return balance.get();
    }

    public int maxThousandths() {
        return max;
    }
}
