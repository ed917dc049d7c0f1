package io.resilienceproxy.resilience;

import static io.resilienceproxy.resilience.BreakerFixture.SLOW;
import static io.resilienceproxy.resilience.BreakerFixture.WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.resilienceproxy.outcome.Verdict;
import io.resilienceproxy.policy.CircuitBreakerPolicy;
import io.resilienceproxy.policy.CircuitBreakerPolicy.WindowType;
import io.resilienceproxy.policy.StatusSet;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BreakerChangeTest {

    /** As {@link BreakerFixture#POLICY}, but for what is given. */
    private static CircuitBreakerPolicy policy(int window, int failureRate, Duration slow, Duration wait, int probes) {
        return new CircuitBreakerPolicy(
                WindowType.COUNT_BASED, window, 4, failureRate, slow, 60, wait, probes, StatusSet.SERVER_ERRORS);
    }

    private static CircuitBreakerPolicy failureRate(int percent) {
        return policy(10, percent, SLOW, WAIT, 3);
    }

    private final BreakerFixture fixture = new BreakerFixture();
    private final Breaker breaker = fixture.breaker;

    @Test
    void openStaysOpenForItsRemainingTimeUnderNewThresholds() {
        fixture.open();
        fixture.clock.advance(Duration.ofSeconds(10));
        breaker.change(policy(20, 30, SLOW, Duration.ofMinutes(5), 1)).run();
        assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
        assertThat(breaker.remainingOpenNanos())
                .isEqualTo(Duration.ofSeconds(20).toNanos());
        fixture.clock.advance(Duration.ofSeconds(20));
        assertThat(fixture.refuses()).isTrue();
        fixture.clock.advanceNanos(1);
        assertThat(fixture.acquire()).isNotNull();
        assertThat(breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
        assertThat(fixture.refuses())
                .as("the new policy admits one probe, not three")
                .isTrue();
        assertThat(fixture.transitions)
                .as("the change itself is no transition, and the rate is that of the window that tripped")
                .containsExactly(
                        new BreakerFixture.Transition(BreakerState.CLOSED, BreakerState.OPEN, 100, 0),
                        new BreakerFixture.Transition(BreakerState.OPEN, BreakerState.HALF_OPEN, 100, 0));
    }

    @Test
    void anotherWaitAloneHoldsFromTheNextOpening() {
        fixture.open();
        fixture.clock.advance(Duration.ofSeconds(10));
        breaker.change(policy(10, 50, SLOW, Duration.ofSeconds(7), 3)).run();
        assertThat(breaker.remainingOpenNanos())
                .isEqualTo(Duration.ofSeconds(20).toNanos());
        fixture.clock.advance(Duration.ofSeconds(20));
        fixture.clock.advanceNanos(1);
        fixture.calls(3, Verdict.FAILURE);
        assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
        assertThat(breaker.remainingOpenNanos()).isEqualTo(Duration.ofSeconds(7).toNanos());
    }

    @Test
    void theNextOpenStateLastsAsTheNewPolicySays() {
        breaker.change(policy(10, 30, SLOW, Duration.ofSeconds(7), 3)).run();
        fixture.open();
        assertThat(breaker.remainingOpenNanos()).isEqualTo(Duration.ofSeconds(7).toNanos());
    }

    @Test
    void halfOpenBeginsItsProbesAnew() {
        fixture.waitedOut();
        BreakerPermit early = fixture.acquire();
        breaker.change(policy(10, 50, SLOW, WAIT, 1)).run();
        assertThat(breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
        early.settle(Verdict.FAILURE, 1);
        assertThat(breaker.state()).as("a probe of before decides nothing").isEqualTo(BreakerState.HALF_OPEN);
        fixture.call(Verdict.SUCCESS);
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void closedRemembersItsWindowUnderNewThresholds() {
        fixture.calls(6, Verdict.SUCCESS);
        fixture.calls(2, Verdict.FAILURE);
        breaker.change(failureRate(35)).run();
        assertThat(breaker.state()).as("25 % is below 35 %").isEqualTo(BreakerState.CLOSED);
        assertThat(breaker.delegate().getMetrics().getNumberOfBufferedCalls()).isEqualTo(8);
        assertThat(breaker.delegate().getMetrics().getNumberOfFailedCalls()).isEqualTo(2);
        fixture.calls(2, Verdict.FAILURE);
        assertThat(breaker.state()).as("4 of 10").isEqualTo(BreakerState.OPEN);
    }

    @Test
    void closedOpensAtOnceWhereItsWindowMeetsTheNewThreshold() {
        fixture.calls(6, Verdict.SUCCESS);
        fixture.calls(2, Verdict.FAILURE);
        breaker.change(failureRate(20)).run();
        assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
        assertThat(fixture.transitions)
                .containsExactly(new BreakerFixture.Transition(BreakerState.CLOSED, BreakerState.OPEN, 25, 0));
    }

    @Test
    void slowCallsAreRememberedAsTheyWereJudged() {
        fixture.calls(6, Verdict.SUCCESS);
        fixture.slowCalls(2, Verdict.SUCCESS);
        breaker.change(policy(10, 50, SLOW.multipliedBy(2), WAIT, 3)).run();
        assertThat(breaker.delegate().getMetrics().getNumberOfSlowCalls()).isEqualTo(2);
    }

    @Test
    void aWindowOfAnotherSizeStartsEmpty() {
        fixture.calls(3, Verdict.FAILURE);
        breaker.change(policy(20, 50, SLOW, WAIT, 3)).run();
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        assertThat(breaker.delegate().getMetrics().getNumberOfBufferedCalls()).isZero();
    }

    @Test
    void callsThatAreUnderWayCountAfterTheChange() {
        BreakerPermit first = fixture.acquire();
        breaker.change(failureRate(40)).run();
        BreakerPermit second = fixture.acquire();
        breaker.change(failureRate(30)).run();
        first.settle(Verdict.FAILURE, 1);
        second.settle(Verdict.FAILURE, 1);
        assertThat(breaker.delegate().getMetrics().getNumberOfFailedCalls()).isEqualTo(2);
    }

    @Test
    void callsThatAreUnderWayDoNotCountWhenTheBreakerOpenedMeanwhile() {
        BreakerPermit early = fixture.acquire();
        breaker.change(failureRate(40)).run();
        fixture.open();
        fixture.passWait();
        BreakerPermit probe = fixture.acquire();
        early.settle(Verdict.FAILURE, 1);
        assertThat(breaker.delegate().getMetrics().getNumberOfBufferedCalls()).isZero();
        probe.settle(Verdict.IGNORED, 1);
    }

    @Test
    void theSameThresholdsChangeNothing() {
        var before = breaker.delegate();
        breaker.change(BreakerFixture.POLICY).run();
        assertThat(breaker.delegate()).isSameAs(before);
    }

    @Test
    void isAsItWasUntilTheChangeIsRun() {
        Runnable step = breaker.change(failureRate(20));
        fixture.calls(6, Verdict.SUCCESS);
        fixture.calls(2, Verdict.FAILURE);
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        step.run();
        assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
    }

    @Test
    void refusesAPolicyOutOfRangeAndStaysAsItWas() {
        var before = breaker.delegate();
        assertThatIllegalArgumentException().isThrownBy(() -> breaker.change(policy(1, 50, SLOW, WAIT, 3)));
        assertThatIllegalArgumentException().isThrownBy(() -> breaker.change(policy(20, 50, SLOW, Duration.ZERO, 3)));
        assertThat(breaker.delegate()).isSameAs(before);
    }

    /** Whatever the order in which they came, a row of calls below the threshold never opens it when it is repeated. */
    @Test
    void repeatingAWindowNeverExceedsItsOwnRates() {
        for (int failures = 0; failures < 10; failures++) {
            BreakerFixture lenient = new BreakerFixture(failureRate(100));
            lenient.calls(10 - failures, Verdict.SUCCESS);
            lenient.calls(failures, Verdict.FAILURE);
            lenient.breaker.change(failureRate(failures * 10 + 1)).run();
            assertThat(lenient.breaker.state()).as("%d of 10", failures).isEqualTo(BreakerState.CLOSED);
            assertThat(lenient.breaker.delegate().getMetrics().getNumberOfFailedCalls())
                    .isEqualTo(failures);
        }
    }
}
