package io.resilienceproxy.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.time.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class HealthCheckTest {

    private static final Duration TTL = Duration.ofSeconds(30);

    private final ManualClock clock = new ManualClock();
    private final List<Consumer<ProbeResult>> probes = new ArrayList<>();
    private final HealthCheck check = new HealthCheck(probes::add, TTL, clock);

    private ProbeResult result(int status) {
        return new ProbeResult(status, null, clock.nanoTime(), 5);
    }

    private void finish(int status) {
        probes.get(probes.size() - 1).accept(result(status));
    }

    @Test
    void asksNobodyUntilItIsAsked() {
        assertThat(check.last()).isNull();
        assertThat(probes).isEmpty();
    }

    @Test
    void whoeverAsksWhileAProbeIsOnItsWayGetsItsOutcome() {
        CompletionStage<ProbeResult> first = check.ask();
        CompletionStage<ProbeResult> second = check.ask();

        assertThat(probes).hasSize(1);
        assertThat(check.last()).isNull();
        finish(200);
        assertThat(first.toCompletableFuture()).isCompletedWithValueMatching(ProbeResult::isUp);
        assertThat(second.toCompletableFuture()).isCompletedWithValueMatching(ProbeResult::isUp);
    }

    /** For two minutes; each probe takes half a second. */
    @Test
    void aThousandASecondCauseOneProbePerTimeToLive() {
        int finished = 0;
        for (int millis = 0; millis < 120_000; millis++) {
            check.ask();
            if (probes.size() > finished && millis % 1000 == 500) {
                finish(200);
                finished++;
            }
            clock.advanceNanos(1_000_000);
        }

        assertThat(probes).hasSize(4);
    }

    @Test
    void anOutcomeStandsForItsTimeToLiveAndNoLonger() {
        check.ask();
        finish(200);
        clock.advance(TTL.minusNanos(1));
        check.ask();
        assertThat(probes).hasSize(1);

        clock.advanceNanos(1);
        CompletionStage<ProbeResult> next = check.ask();
        assertThat(probes).hasSize(2);
        assertThat(check.last()).as("the old outcome until there is a new one").matches(ProbeResult::isUp);
        finish(500);
        assertThat(next.toCompletableFuture()).isCompletedWithValueMatching(result -> !result.isUp());
        assertThat(check.last()).matches(result -> !result.isUp());
    }

    @Test
    void onlyA2xxIsWell() {
        assertThat(List.of(200, 204, 299)).allMatch(status -> result(status).isUp());
        assertThat(List.of(0, 302, 404, 429, 500))
                .noneMatch(status -> result(status).isUp());
        assertThat(new ProbeResult(0, "timeout", 0, 0).isUp()).isFalse();
    }

    @Test
    void aProbeThatCannotBeginIsAFailureAndNotTheLast() {
        AtomicInteger asked = new AtomicInteger();
        HealthCheck stopping = new HealthCheck(
                done -> {
                    asked.incrementAndGet();
                    throw new RejectedExecutionException();
                },
                TTL,
                clock);

        assertThat(stopping.ask().toCompletableFuture())
                .isCompletedWithValueMatching(result -> "stopping".equals(result.failure()));
        clock.advance(TTL);
        stopping.ask();
        assertThat(asked).hasValue(2);
    }

    @Test
    void manyThreadsStartOneProbe() throws Exception {
        AtomicInteger started = new AtomicInteger();
        HealthCheck shared = new HealthCheck(
                done -> {
                    started.incrementAndGet();
                    done.accept(result(200));
                },
                TTL,
                clock);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            for (int round = 1; round <= 200; round++) {
                CountDownLatch go = new CountDownLatch(1);
                List<Future<ProbeResult>> asked = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    asked.add(threads.submit(() -> {
                        go.await();
                        return shared.ask().toCompletableFuture().get(5, TimeUnit.SECONDS);
                    }));
                }
                go.countDown();
                for (Future<ProbeResult> one : asked) {
                    assertThat(one.get(10, TimeUnit.SECONDS).isUp()).isTrue();
                }
                assertThat(started).hasValue(round);
                clock.advance(TTL);
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
