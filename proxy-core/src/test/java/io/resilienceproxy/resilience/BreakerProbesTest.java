package io.resilienceproxy.resilience;

import static io.resilienceproxy.resilience.BreakerFixture.WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.resilienceproxy.outcome.Verdict;
import io.resilienceproxy.policy.CircuitBreakerPolicy.WindowType;
import io.resilienceproxy.resilience.BreakerFixture.Transition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BreakerProbesTest {

    private final BreakerFixture fixture = new BreakerFixture();
    private final Breaker breaker = fixture.breaker;

    @RepeatedTest(20)
    void admitsExactlyItsProbesWhenManyCallAtOnceBehindTheWait() throws Exception {
        fixture.waitedOut();
        int threads = 8;
        int callsEach = 25;
        CyclicBarrier start = new CyclicBarrier(threads);
        Callable<Integer> caller = () -> {
            start.await();
            int admitted = 0;
            for (int i = 0; i < callsEach; i++) {
                admitted += breaker.tryAcquire() == null ? 0 : 1;
            }
            return admitted;
        };
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        try {
            int admitted = 0;
            for (Future<Integer> one : callers.invokeAll(Collections.nCopies(threads, caller))) {
                admitted += one.get();
            }
            assertThat(admitted).isEqualTo(3);
        } finally {
            callers.shutdownNow();
        }
        assertThat(fixture.transitions).hasSize(2);
    }

    @Test
    void closesWhenItsProbesSucceed() {
        fixture.waitedOut();
        fixture.calls(2, Verdict.SUCCESS);
        assertThat(breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
        fixture.call(Verdict.SUCCESS);
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        assertThat(fixture.refuses()).isFalse();
    }

    @Test
    void startsTheWholeWaitAgainWhenItsProbesFail() {
        fixture.waitedOut();
        fixture.call(Verdict.SUCCESS);
        fixture.calls(2, Verdict.FAILURE);
        assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
        assertThat(breaker.remainingOpenNanos()).isEqualTo(WAIT.toNanos());
        fixture.clock.advance(WAIT);
        assertThat(fixture.refuses()).isTrue();
        fixture.clock.advanceNanos(1);
        assertThat(fixture.refuses()).isFalse();
    }

    @Test
    void staysClosedForOneFailureInItsFreshWindow() {
        fixture.waitedOut();
        fixture.calls(3, Verdict.SUCCESS);
        fixture.calls(3, Verdict.FAILURE);
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        fixture.call(Verdict.FAILURE);
        assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
    }

    @Test
    void refusesBesideItsProbesButNotForCertain() {
        fixture.waitedOut();
        List<BreakerPermit> probes = List.of(fixture.acquire(), fixture.acquire(), fixture.acquire());
        assertThat(fixture.refuses()).isTrue();
        assertThat(breaker.isRefusing()).isFalse();
        assertThat(breaker.remainingOpenNanos()).isZero();
        probes.forEach(probe -> probe.settle(Verdict.IGNORED, 1));
    }

    @Test
    void givesAnIgnoredProbeToSomeoneElseAndNoOtherBesideIt() {
        fixture.waitedOut();
        fixture.acquire();
        fixture.acquire();
        fixture.acquire().settle(Verdict.IGNORED, 1);
        assertThat(fixture.refuses()).isFalse();
        assertThat(fixture.refuses()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Verdict.class)
    void cannotStayHalfOpenOnceEveryProbeIsSettled(Verdict verdict) {
        fixture.waitedOut();
        List<BreakerPermit> probes = List.of(fixture.acquire(), fixture.acquire(), fixture.acquire());
        probes.forEach(probe -> probe.settle(verdict, 1));
        fixture.passWait();
        fixture.calls(3, Verdict.SUCCESS);
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void decidesBySingleProbesAgainAndAgain() {
        BreakerFixture single = new BreakerFixture(BreakerFixture.policy(WindowType.COUNT_BASED, 10, 4, 1));
        single.open();
        for (int i = 0; i < 3; i++) {
            single.passWait();
            single.call(Verdict.IGNORED);
            single.call(Verdict.FAILURE);
            assertThat(single.breaker.state()).isEqualTo(BreakerState.OPEN);
        }
        single.passWait();
        single.call(Verdict.SUCCESS);
        assertThat(single.breaker.state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void dropsPermitsOfBeforeTheOutageWhileOpen() {
        List<BreakerPermit> late = closedPermits(3);
        fixture.open();
        settleEach(late);
        assertThat(breaker.delegate().getMetrics().getNumberOfBufferedCalls()).isEqualTo(4);
        assertThat(breaker.remainingOpenNanos()).isEqualTo(WAIT.toNanos());
    }

    @Test
    void dropsPermitsOfBeforeTheOutageWhileHalfOpen() {
        List<BreakerPermit> late = closedPermits(6);
        fixture.waitedOut();
        List<BreakerPermit> probes = List.of(fixture.acquire(), fixture.acquire(), fixture.acquire());
        settleEach(late);
        assertThat(fixture.refuses()).isTrue();
        assertThat(breaker.delegate().getMetrics().getNumberOfBufferedCalls()).isZero();
        probes.forEach(probe -> probe.settle(Verdict.SUCCESS, 1));
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void dropsPermitsOfBeforeTheOutageWhenClosedAgain() {
        List<BreakerPermit> late = closedPermits(9);
        fixture.waitedOut();
        fixture.calls(3, Verdict.SUCCESS);
        settleEach(late);
        assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
        assertThat(breaker.delegate().getMetrics().getNumberOfBufferedCalls()).isZero();
    }

    @Test
    void dropsProbesOfAnEarlierHalfOpenState() {
        // Two results decide, so that the third probe is late.
        BreakerFixture two = new BreakerFixture(BreakerFixture.policy(WindowType.COUNT_BASED, 10, 2, 3));
        two.calls(2, Verdict.FAILURE);
        two.passWait();
        BreakerPermit late = two.acquire();
        two.calls(2, Verdict.FAILURE);
        two.passWait();
        List<BreakerPermit> probes = List.of(two.acquire(), two.acquire(), two.acquire());
        late.settle(Verdict.IGNORED, 1);
        assertThat(two.refuses()).isTrue();
        probes.forEach(probe -> probe.settle(Verdict.SUCCESS, 1));
        assertThat(two.breaker.state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void refusesToSettleAPermitTwice() {
        BreakerPermit permit = fixture.acquire();
        permit.settle(Verdict.IGNORED, 1);
        assertThatIllegalStateException()
                .isThrownBy(() -> permit.settle(Verdict.SUCCESS, 1))
                .withMessage("permit of breaker sber settled twice");
    }

    @Test
    void tellsEachTransitionOnceWithTheRatesOfTheWindowThatWasLeft() {
        fixture.waitedOut();
        fixture.calls(1, Verdict.SUCCESS);
        fixture.calls(2, Verdict.FAILURE);
        fixture.passWait();
        fixture.calls(2, Verdict.SUCCESS);
        fixture.call(Verdict.FAILURE);
        float twoThirds = 2 * 100f / 3;
        assertThat(fixture.transitions)
                .containsExactly(
                        new Transition(BreakerState.CLOSED, BreakerState.OPEN, 100, 0),
                        new Transition(BreakerState.OPEN, BreakerState.HALF_OPEN, 100, 0),
                        new Transition(BreakerState.HALF_OPEN, BreakerState.OPEN, twoThirds, 0),
                        new Transition(BreakerState.OPEN, BreakerState.HALF_OPEN, twoThirds, 0),
                        new Transition(BreakerState.HALF_OPEN, BreakerState.CLOSED, 100f / 3, 0));
    }

    private List<BreakerPermit> closedPermits(int count) {
        List<BreakerPermit> permits = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            permits.add(fixture.acquire());
        }
        return permits;
    }

    private static void settleEach(List<BreakerPermit> permits) {
        for (int i = 0; i < permits.size(); i++) {
            permits.get(i).settle(Verdict.values()[i % 3], 1);
        }
    }
}
