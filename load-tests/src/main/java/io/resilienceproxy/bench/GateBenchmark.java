package io.resilienceproxy.bench;

import io.resilienceproxy.policy.Priority;
import io.resilienceproxy.outcome.Verdict;
import io.resilienceproxy.policy.RoutePolicy;
import io.resilienceproxy.resilience.Breaker;
import io.resilienceproxy.resilience.BreakerPermit;
import io.resilienceproxy.resilience.Bulkhead;
import io.resilienceproxy.resilience.BulkheadWaiter;
import io.resilienceproxy.resilience.RetryBudget;
import io.resilienceproxy.time.Clock;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The gates of an attempt: breaker, bulkhead and its queue, budget. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class GateBenchmark {

    private static final long FAST_NANOS = 1_000_000;

    private @Nullable Breaker countBased;
    private @Nullable Breaker timeBased;
    private @Nullable Breaker open;
    private @Nullable Bulkhead bulkhead;
    private @Nullable Bulkhead full;
    private @Nullable RetryBudget budget;

    @Setup
    public void setUp() {
        countBased = breaker("sliding-window-type: COUNT_BASED");
        timeBased = breaker("sliding-window-type: TIME_BASED, sliding-window-size: 50");
        open = breaker("wait-duration-in-open-state: 1h");
        for (BreakerPermit permit = open.tryAcquire(); permit != null; permit = open.tryAcquire()) {
            permit.settle(Verdict.FAILURE, FAST_NANOS);
        }
        RoutePolicy policy = policy("");
        bulkhead = new Bulkhead("bench", policy.bulkhead());
        full = new Bulkhead(
                "full", policy("bulkhead: {max-concurrent-calls: 1}").bulkhead());
        full.tryAcquire();
        budget = new RetryBudget(policy.retry().budget());
    }

    private static RoutePolicy policy(String defaults) {
        return Policies.of(1, defaults).upstreams().get(0).defaultRoute();
    }

    private static Breaker breaker(String settings) {
        return new Breaker(
                "bench",
                policy("circuit-breaker: {" + settings + "}").circuitBreaker(),
                Clock.SYSTEM,
                (name, from, to, failures, slow) -> {});
    }

    @Benchmark
    public boolean breakerCountBased() {
        return pass(countBased);
    }

    @Benchmark
    public boolean breakerTimeBased() {
        return pass(timeBased);
    }

    private static boolean pass(Breaker breaker) {
        BreakerPermit permit = breaker.tryAcquire();
        if (permit == null) {
            return false;
        }
        permit.settle(Verdict.SUCCESS, FAST_NANOS);
        return true;
    }

    @Benchmark
    public @Nullable BreakerPermit breakerRefuses() {
        return open.tryAcquire();
    }

    @Benchmark
    public boolean bulkheadAcquireRelease() {
        boolean got = bulkhead.tryAcquire();
        bulkhead.release();
        return got;
    }

    /** Queued behind a call in flight, whose release hands the permit over. */
    @Benchmark
    public boolean bulkheadQueue() {
        boolean queued = full.enqueue(new BulkheadWaiter(Runnable::run, Priority.NORMAL) {
@Override
protected void onDisplaced() {}

            @Override
            protected void onPermit() {}
        });
        full.release();
        return queued;
    }

    @Benchmark
    public int budgetDeposit() {
        budget.deposit();
        return budget.balanceThousandths();
    }

    @Benchmark
    public boolean budgetDepositAndWithdraw() {
        budget.deposit();
        return budget.tryWithdraw();
    }
}
