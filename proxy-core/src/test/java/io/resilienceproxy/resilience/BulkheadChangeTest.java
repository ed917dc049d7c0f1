package io.resilienceproxy.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.resilienceproxy.policy.BulkheadPolicy;
import io.resilienceproxy.policy.Priority;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BulkheadChangeTest {

    private final List<String> arrived = new ArrayList<>();

    @Test
    void permitsThatAreOutCountUnderALowerLimit() {
        Bulkhead bulkhead = bulkhead(5, 0);
        acquire(bulkhead, 4);
        change(bulkhead, 2, 0);
        assertThat(bulkhead.limit()).isEqualTo(2);
        assertThat(bulkhead.available()).isZero();
        for (int out = 4; out > 2; out--) {
            bulkhead.release();
            assertThat(bulkhead.tryAcquire()).as("%d are out", out - 1).isFalse();
        }
        bulkhead.release();
        assertThat(bulkhead.tryAcquire()).as("one is out").isTrue();
        bulkhead.release();
        bulkhead.release();
        assertThat(bulkhead.available()).isEqualTo(2);
        assertThatIllegalStateException().isThrownBy(bulkhead::release);
    }

    @Test
    void ofALowerLimitOnlyTheFreePermitsGoAtOnce() {
        Bulkhead bulkhead = bulkhead(10, 0);
        acquire(bulkhead, 3);
        change(bulkhead, 5, 0);
        assertThat(bulkhead.available()).isEqualTo(2);
    }

    @Test
    void aHigherLimitServesWhoWaits() {
        Bulkhead bulkhead = bulkhead(1, 3);
        acquire(bulkhead, 1);
        bulkhead.enqueue(waiter("a"));
        bulkhead.enqueue(waiter("b"));
        bulkhead.enqueue(waiter("c"));
        change(bulkhead, 3, 3);
        assertThat(arrived).containsExactly("a", "b");
        assertThat(bulkhead.waiting()).isEqualTo(1);
    }

    @Test
    void raisingALimitThatIsStillExceededGivesNoPermitTwice() {
        Bulkhead bulkhead = bulkhead(5, 0);
        acquire(bulkhead, 5);
        change(bulkhead, 1, 0);
        change(bulkhead, 3, 0);
        assertThat(bulkhead.tryAcquire()).isFalse();
        for (int i = 0; i < 5; i++) {
            bulkhead.release();
        }
        assertThat(bulkhead.available()).isEqualTo(3);
    }

    @Test
    void nobodyWhoWaitsIsForgottenUnderALowerLimitAndAShorterQueue() {
        Bulkhead bulkhead = bulkhead(2, 2);
        acquire(bulkhead, 2);
        bulkhead.enqueue(waiter("a"));
        bulkhead.enqueue(waiter("b"));
        change(bulkhead, 1, 0);
        assertThat(bulkhead.enqueue(waiter("c"))).isFalse();
        bulkhead.release();
        assertThat(arrived).as("one is out, one may be").isEmpty();
        bulkhead.release();
        assertThat(arrived).containsExactly("a");
        bulkhead.release();
        assertThat(arrived).containsExactly("a", "b");
        bulkhead.release();
        assertThat(bulkhead.available()).isEqualTo(1);
    }

    @Test
    void refusesAPolicyOutOfRangeAndStaysAsItWas() {
        Bulkhead bulkhead = bulkhead(2, 0);
        assertThatIllegalArgumentException().isThrownBy(() -> bulkhead.change(policy(0, 0)));
        assertThat(bulkhead.limit()).isEqualTo(2);
    }

    /** The waiters' loop is the releasing thread: it ends only if all of them were served. */
    @Test
    void strandsNobodyAndLosesNoPermitWhileTheLimitChanges() throws Exception {
        Bulkhead bulkhead = bulkhead(4, 8);
        AtomicBoolean changing = new AtomicBoolean(true);
        AtomicInteger served = new AtomicInteger();
        int callers = 3;
        int rounds = 20_000;
        ExecutorService pool = Executors.newFixedThreadPool(callers);
        CountDownLatch settled = new CountDownLatch(callers * rounds);
        List<Future<?>> done = new ArrayList<>();
        for (int caller = 0; caller < callers; caller++) {
            done.add(pool.submit(() -> {
                for (int i = 0; i < rounds; i++) {
                    if (bulkhead.tryAcquire()) {
                        bulkhead.release();
                        settled.countDown();
                    } else if (!bulkhead.enqueue(new Releasing(bulkhead, served, settled))) {
                        settled.countDown();
                    }
                }
            }));
        }
        Thread changer = new Thread(() -> {
            while (changing.get()) {
                change(bulkhead, ThreadLocalRandom.current().nextInt(1, 6), 8);
            }
        });
        changer.start();
        for (Future<?> one : done) {
            one.get(30, TimeUnit.SECONDS);
        }
        changing.set(false);
        changer.join();
        pool.shutdown();
        assertThat(settled.await(5, TimeUnit.SECONDS))
                .as("nobody waits for ever")
                .isTrue();
        assertThat(bulkhead.waiting()).isZero();
        assertThat(bulkhead.available()).isEqualTo(bulkhead.limit());
    }

    private static final class Releasing extends BulkheadWaiter {

        private final Bulkhead bulkhead;
        private final AtomicInteger served;
        private final CountDownLatch settled;

        Releasing(Bulkhead bulkhead, AtomicInteger served, CountDownLatch settled) {
            super(Runnable::run, Priority.NORMAL);
            this.bulkhead = bulkhead;
            this.served = served;
            this.settled = settled;
        }

        @Override
        protected void onDisplaced() {}

        @Override
        protected void onPermit() {
            served.incrementAndGet();
            bulkhead.release();
            settled.countDown();
        }
    }

    private BulkheadWaiter waiter(String name) {
        return new BulkheadWaiter(Runnable::run, Priority.NORMAL) {
            @Override
            protected void onDisplaced() {}

            @Override
            protected void onPermit() {
                arrived.add(name);
            }
        };
    }

    private static void acquire(Bulkhead bulkhead, int permits) {
        for (int i = 0; i < permits; i++) {
            assertThat(bulkhead.tryAcquire()).isTrue();
        }
    }

    private static void change(Bulkhead bulkhead, int limit, int maxWaiting) {
        bulkhead.change(policy(limit, maxWaiting)).run();
    }

    private static Bulkhead bulkhead(int limit, int maxWaiting) {
        return new Bulkhead("sber", policy(limit, maxWaiting));
    }

    private static BulkheadPolicy policy(int limit, int maxWaiting) {
        return new BulkheadPolicy(limit, BulkheadPolicy.DEFAULT_MAX_WAIT, maxWaiting);
    }
}
