package io.resilienceproxy.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.resilienceproxy.policy.BulkheadPolicy;
import io.resilienceproxy.policy.Priority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several event loops at one bulkhead. */
class BulkheadConcurrencyTest {

    private static final int LOOPS = 4;
    private static final int CALLS_PER_LOOP = 20_000;

    private final List<ExecutorService> loops = new ArrayList<>();

    /** Calls that have been decided: admitted and released, refused, or gone. */
    private final AtomicInteger ended = new AtomicInteger();

    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger runningLow = new AtomicInteger();
    private final AtomicInteger tooMany = new AtomicInteger();

    BulkheadConcurrencyTest() {
        for (int i = 0; i < LOOPS; i++) {
            loops.add(Executors.newSingleThreadExecutor());
        }
    }

    @AfterEach
    void endLoops() {
        loops.forEach(ExecutorService::shutdownNow);
    }

    @ParameterizedTest
    @CsvSource({"1,0", "1,1", "1,8", "3,2", "3,64", "4,4"})
    void endsWithEveryPermitFreeAndNobodyWaitingWhateverTheyDo(int limit, int maxWaiting) {
        Bulkhead bulkhead = bulkhead(limit, maxWaiting);
        for (ExecutorService loop : loops) {
            for (int i = 0; i < CALLS_PER_LOOP; i++) {
                loop.execute(() -> new Call(bulkhead, loop).begin());
            }
        }
        // A stranded waiter never ends; nobody else comes who could serve it by accident.
        await().atMost(Duration.ofSeconds(60))
                .until(() -> ended.get() == LOOPS * CALLS_PER_LOOP && bulkhead.available() == limit);
        assertThat(bulkhead.waiting()).isZero();
        assertThat(tooMany).hasValue(0);
    }

    /** Twice as many permits as callers: beside its own, a loop may for a moment hold one that it hands on. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void refusesNobodyWhilePermitsAreFreeHoweverShortTheQueue(int maxWaiting) {
        Bulkhead bulkhead = bulkhead(2 * LOOPS, maxWaiting);
        AtomicInteger refused = new AtomicInteger();
        loops.forEach(loop -> loop.execute(() -> callAgain(bulkhead, loop, refused, CALLS_PER_LOOP)));
        await().atMost(Duration.ofSeconds(60)).until(() -> ended.get() == LOOPS);
        assertThat(refused).hasValue(0);
        assertThat(bulkhead.available()).isEqualTo(bulkhead.limit());
    }

    private void callAgain(Bulkhead bulkhead, ExecutorService loop, AtomicInteger refused, int left) {
        if (left == 0) {
            ended.incrementAndGet();
            return;
        }
        BulkheadWaiter waiter = new BulkheadWaiter(loop, Priority.NORMAL) {
            @Override
            protected void onDisplaced() {}

            @Override
            protected void onPermit() {
                bulkhead.release();
                callAgain(bulkhead, loop, refused, left - 1);
            }
        };
        if (!bulkhead.enqueue(waiter)) {
            refused.incrementAndGet();
            ended.incrementAndGet();
        }
    }

    private static Bulkhead bulkhead(int limit, int maxWaiting) {
        return new Bulkhead("sber", new BulkheadPolicy(limit, BulkheadPolicy.DEFAULT_MAX_WAIT, maxWaiting));
    }

    /** One attempt that acquires, queues, loses patience or works, all on its loop and at random. */
    private final class Call {

        private final Bulkhead bulkhead;
        private final ExecutorService loop;
        private final Priority priority =
                Priority.values()[ThreadLocalRandom.current().nextInt(Priority.values().length)];
        private @Nullable BulkheadWaiter waiter;

        Call(Bulkhead bulkhead, ExecutorService loop) {
            this.bulkhead = bulkhead;
            this.loop = loop;
        }

        void begin() {
            if (bulkhead.tryAcquire(priority)) {
                work();
                return;
            }
            BulkheadWaiter mine = new BulkheadWaiter(loop, priority) {
                @Override
                protected void onDisplaced() {
                    waiter = null;
                    ended.incrementAndGet();
                }

                @Override
                protected void onPermit() {
                    waiter = null;
                    work();
                }
            };
            if (!bulkhead.enqueue(mine)) {
                ended.incrementAndGet();
                return;
            }
            waiter = mine;
            int patience = ThreadLocalRandom.current().nextInt(4);
            if (patience == 0) {
                loseInterest();
            } else if (patience == 1) {
                loop.execute(this::loseInterest);
            }
        }

        private void loseInterest() {
            if (waiter != null) {
                waiter.leave();
                waiter = null;
                ended.incrementAndGet();
            }
        }

        private void work() {
            if (running.incrementAndGet() > bulkhead.limit()) {
                tooMany.incrementAndGet();
            }
            if (priority == Priority.LOW && runningLow.incrementAndGet() > Math.max(1, bulkhead.limit() * 80 / 100)) {
                tooMany.incrementAndGet();
            }
            if (ThreadLocalRandom.current().nextBoolean()) {
                end();
            } else {
                loop.execute(this::end);
            }
        }

        private void end() {
            running.decrementAndGet();
            if (priority == Priority.LOW) {
                runningLow.decrementAndGet();
            }
            bulkhead.release(priority);
            ended.incrementAndGet();
        }
    }
}
