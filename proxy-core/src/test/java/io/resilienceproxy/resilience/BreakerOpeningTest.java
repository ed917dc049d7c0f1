package io.resilienceproxy.resilience;

import static io.resilienceproxy.resilience.BreakerFixture.SLOW;
import static io.resilienceproxy.resilience.BreakerFixture.WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.resilienceproxy.outcome.Verdict;
import io.resilienceproxy.policy.CircuitBreakerPolicy;
import io.resilienceproxy.policy.CircuitBreakerPolicy.WindowType;
import io.resilienceproxy.policy.StatusSet;
import io.resilienceproxy.resilience.BreakerFixture.Transition;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BreakerOpeningTest {

    private final BreakerFixture fixture = new BreakerFixture();
    private final Breaker breaker = fixture.breaker;

    @Test
    void opensWhenTheFailureRateReachesItsThreshold() {
        fixture.calls(5, Verdict.SUCCESS);
        fixture.calls(4, Verdict.FAILURE);
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        fixture.call(Verdict.FAILURE);
        assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
    }

    @Test
    void forgetsWhatHasLeftTheWindow() {
        fixture.calls(6, Verdict.SUCCESS);
        fixture.calls(4, Verdict.FAILURE);
        fixture.calls(6, Verdict.SUCCESS);
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        fixture.calls(4, Verdict.SUCCESS);
        fixture.calls(4, Verdict.FAILURE);
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void opensWhenTheSlowCallRateReachesItsThresholdThoughAllSucceed() {
        fixture.calls(4, Verdict.SUCCESS);
        fixture.slowCalls(5, Verdict.SUCCESS);
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        fixture.slowCalls(1, Verdict.SUCCESS);
        assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
    }

    @Test
    void takesACallOfExactlyTheSlowThresholdForAFastOne() {
        for (int i = 0; i < 20; i++) {
            fixture.acquire().settle(Verdict.SUCCESS, SLOW.toNanos());
        }
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void judgesNothingBelowTheMinimumNumberOfCalls() {
        fixture.calls(3, Verdict.FAILURE);
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        fixture.call(Verdict.FAILURE);
        assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
    }

    @Test
    void countsNoIgnoredCalls() {
        fixture.calls(100, Verdict.IGNORED);
        fixture.slowCalls(100, Verdict.IGNORED);
        fixture.calls(3, Verdict.FAILURE);
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        assertThat(breaker.delegate().getMetrics().getNumberOfBufferedCalls()).isEqualTo(3);
    }

    @Test
    void refusesAtOnceWhenOpen() {
        fixture.open();
        assertThat(fixture.refuses()).isTrue();
        assertThat(breaker.isRefusing()).isTrue();
        assertThat(breaker.delegate().getMetrics().getNumberOfNotPermittedCalls())
                .isEqualTo(1);
    }

    @Test
    void saysHowLongItStaysOpen() {
        assertThat(breaker.remainingOpenNanos()).isZero();
        fixture.clock.advance(Duration.ofSeconds(100));
        fixture.open();
        assertThat(breaker.remainingOpenNanos()).isEqualTo(WAIT.toNanos());
        fixture.clock.advance(Duration.ofSeconds(10));
        assertThat(breaker.remainingOpenNanos())
                .isEqualTo(Duration.ofSeconds(20).toNanos());
        fixture.clock.advance(Duration.ofSeconds(20).minusNanos(1));
        assertThat(breaker.remainingOpenNanos()).isEqualTo(1);
        assertThat(breaker.isRefusing()).isTrue();
        assertThat(fixture.refuses()).isTrue();
        fixture.clock.advanceNanos(1);
        assertThat(breaker.remainingOpenNanos()).isZero();
        assertThat(breaker.isRefusing()).isFalse();
    }

    @Test
    void neverInvitesACallerBeforeProbesAreAdmitted() {
        fixture.open();
        fixture.clock.advanceNanos(breaker.remainingOpenNanos() - 1);
        assertThat(fixture.refuses()).isTrue();
        fixture.clock.advanceNanos(2);
        assertThat(fixture.refuses()).isFalse();
    }

    @Test
    void countsTheWaitInWholeMillisecondsAsTheDelegateDoes() {
        BreakerFixture odd = new BreakerFixture(new CircuitBreakerPolicy(
                WindowType.COUNT_BASED, 10, 4, 50, SLOW, 60, Duration.ofNanos(1_999_999), 1, StatusSet.NONE));
        odd.open();
        assertThat(odd.breaker.remainingOpenNanos()).isEqualTo(1_000_000);
        odd.clock.advanceNanos(1_000_001);
        assertThat(odd.refuses()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 1})
    void isNotMovedByStepsOfTheWallClock(long hours) {
        fixture.open();
        fixture.clock.stepWall(Duration.ofHours(hours));
        assertThat(breaker.remainingOpenNanos()).isEqualTo(WAIT.toNanos());
        fixture.clock.advance(WAIT.minusNanos(1));
        assertThat(fixture.refuses()).isTrue();
        fixture.clock.stepWall(Duration.ofHours(hours));
        fixture.clock.advanceNanos(2);
        assertThat(fixture.refuses()).isFalse();
        assertThat(breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
    }

    @Test
    void tellsTheRateThatTrippedIt() {
        fixture.calls(2, Verdict.SUCCESS);
        fixture.slowCalls(1, Verdict.FAILURE);
        fixture.call(Verdict.FAILURE);
        assertThat(fixture.transitions)
                .containsExactly(new Transition(BreakerState.CLOSED, BreakerState.OPEN, 50f, 25f));
    }

    @Test
    void canBeAskedFromItsListener() {
        long[] remaining = new long[1];
        Breaker[] asked = new Breaker[1];
        asked[0] = new Breaker("sber", BreakerFixture.POLICY, fixture.clock, (name, from, to, failures, slow) -> {
            assertThat(name).isEqualTo("sber");
            assertThat(asked[0].state()).isEqualTo(to);
            remaining[0] = asked[0].remainingOpenNanos();
        });
        for (int i = 0; i < 4; i++) {
            BreakerPermit permit = asked[0].tryAcquire();
            assertThat(permit).isNotNull();
            permit.settle(Verdict.FAILURE, 1);
        }
        assertThat(remaining[0]).isEqualTo(WAIT.toNanos());
    }

    @ParameterizedTest
    @EnumSource(WindowType.class)
    void opensWithEachKindOfWindow(WindowType type) {
        BreakerFixture other = new BreakerFixture(BreakerFixture.policy(type, 10, 4, 3));
        other.open();
        assertThat(other.breaker.state()).isEqualTo(BreakerState.OPEN);
        assertThat(other.refuses()).isTrue();
    }

    @Test
    void acceptsNoWindowThatTheDelegateBreaksOn() {
        for (WindowType type : WindowType.values()) {
            CircuitBreakerPolicy tooSmall = BreakerFixture.policy(type, 1, 1, 1);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new BreakerFixture(tooSmall))
                    .withMessage("sliding window: 1 (expected: 2 or more)");
        }
    }

    @Test
    void acceptsNoWaitBelowAMillisecond() {
        CircuitBreakerPolicy tooShort = new CircuitBreakerPolicy(
                WindowType.COUNT_BASED, 10, 4, 50, SLOW, 60, Duration.ofNanos(999_999), 1, StatusSet.NONE);
        assertThatIllegalArgumentException().isThrownBy(() -> new BreakerFixture(tooShort));
    }
}
