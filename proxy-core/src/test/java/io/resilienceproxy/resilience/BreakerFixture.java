package io.resilienceproxy.resilience;

import io.resilienceproxy.outcome.Verdict;
import io.resilienceproxy.policy.CircuitBreakerPolicy;
import io.resilienceproxy.policy.CircuitBreakerPolicy.WindowType;
import io.resilienceproxy.policy.StatusSet;
import io.resilienceproxy.time.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A breaker on a clock that is moved by hand, and the ways to bring it into each state. */
final class BreakerFixture {

    static final Duration SLOW = Duration.ofMillis(200);
    static final Duration WAIT = Duration.ofSeconds(30);

    /** Window 10, at least 4 calls, 50 % failures or 60 % slow ones, open for 30 s, then 3 probes. */
    static final CircuitBreakerPolicy POLICY = policy(WindowType.COUNT_BASED, 10, 4, 3);

    record Transition(BreakerState from, BreakerState to, float failureRate, float slowCallRate) {}

    final ManualClock clock = new ManualClock();
    final List<Transition> transitions = new ArrayList<>();
    final Breaker breaker;

    BreakerFixture() {
        this(POLICY);
    }

    BreakerFixture(CircuitBreakerPolicy policy) {
        breaker = new Breaker("sber", policy, clock, (name, from, to, failures, slow) -> {
            synchronized (transitions) {
                transitions.add(new Transition(from, to, failures, slow));
            }
        });
    }

    static CircuitBreakerPolicy policy(WindowType type, int window, int minimum, int probes) {
        return new CircuitBreakerPolicy(type, window, minimum, 50, SLOW, 60, WAIT, probes, StatusSet.SERVER_ERRORS);
    }

    BreakerPermit acquire() {
        return Objects.requireNonNull(breaker.tryAcquire(), "refused");
    }

    void call(Verdict verdict) {
        acquire().settle(verdict, 1);
    }

    void calls(int count, Verdict verdict) {
        for (int i = 0; i < count; i++) {
            call(verdict);
        }
    }

    void slowCalls(int count, Verdict verdict) {
        for (int i = 0; i < count; i++) {
            acquire().settle(verdict, SLOW.toNanos() + 1);
        }
    }

    BreakerFixture open() {
        calls(4, Verdict.FAILURE);
        return this;
    }

    /** Open, with its wait over: the next call is a probe. */
    BreakerFixture waitedOut() {
        open();
        passWait();
        return this;
    }

    /** Probes are admitted strictly after the wait. */
    void passWait() {
        clock.advance(WAIT);
        clock.advanceNanos(1);
    }

    boolean refuses() {
        return breaker.tryAcquire() == null;
    }
}
