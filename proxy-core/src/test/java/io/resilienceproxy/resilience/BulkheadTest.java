package io.resilienceproxy.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.resilienceproxy.policy.BulkheadPolicy;
import io.resilienceproxy.policy.Priority;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class BulkheadTest {

    /** An event loop whose tasks run when the test says so. */
    private final Queue<Runnable> loop = new ArrayDeque<>();

    private final List<String> arrived = new ArrayList<>();

    @Test
    void admitsUpToItsLimit() {
        Bulkhead bulkhead = bulkhead(2, 0);
        assertThat(bulkhead.available()).isEqualTo(bulkhead.limit()).isEqualTo(2);
        assertThat(bulkhead.tryAcquire()).isTrue();
        assertThat(bulkhead.tryAcquire()).isTrue();
        assertThat(bulkhead.tryAcquire()).isFalse();
        bulkhead.release();
        assertThat(bulkhead.tryAcquire()).isTrue();
    }

    @Test
    void losesNoPermitOnAnInterruptedThread() {
        Bulkhead bulkhead = bulkhead(1, 0);
        Thread.currentThread().interrupt();
        boolean acquired = bulkhead.tryAcquire();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(bulkhead.available()).isEqualTo(acquired ? 0 : 1);
    }

    @Test
    void refusesAtOnceWhenNobodyMayWait() {
        Bulkhead bulkhead = full(1, 0);
        assertThat(bulkhead.enqueue(waiter("a"))).isFalse();
        bulkhead.release();
        runLoop();
        assertThat(arrived).isEmpty();
        assertThat(bulkhead.available()).isEqualTo(1);
    }

    @Test
    void doesNotRefuseForAFullQueueWhileAPermitIsFree() {
        Bulkhead bulkhead = full(1, 0);
        bulkhead.release();
        assertThat(bulkhead.enqueue(waiter("a"))).isTrue();
        runLoop();
        assertThat(arrived).containsExactly("a");
        assertThat(bulkhead.available()).isZero();
    }

    @Test
    void queuesNoMoreThanItsMaximum() {
        Bulkhead bulkhead = full(1, 2);
        assertThat(bulkhead.enqueue(waiter("a"))).isTrue();
        assertThat(bulkhead.enqueue(waiter("b"))).isTrue();
        assertThat(bulkhead.enqueue(waiter("c"))).isFalse();
        assertThat(bulkhead.waiting()).isEqualTo(2);
        bulkhead.release();
        assertThat(bulkhead.waiting()).isEqualTo(1);
        assertThat(bulkhead.enqueue(waiter("d"))).isTrue();
    }

    @Test
    void servesInTheOrderOfArrival() {
        Bulkhead bulkhead = full(1, 3);
        List.of("a", "b", "c").forEach(name -> bulkhead.enqueue(waiter(name)));
        for (int i = 0; i < 3; i++) {
            bulkhead.release();
            runLoop();
        }
        assertThat(arrived).containsExactly("a", "b", "c");
    }

    @Test
    void lateComersDoNotOvertakeTheQueue() {
        Bulkhead bulkhead = full(1, 1);
        bulkhead.enqueue(waiter("a"));
        bulkhead.release();
        assertThat(bulkhead.tryAcquire()).isFalse();
        runLoop();
        assertThat(arrived).containsExactly("a");
    }

    /** Between the two steps of a release, on another thread: the permit is free, the queue has not been asked yet. */
    @Test
    void nobodyTakesAPermitThatTheQueueHasNotBeenAskedFor() {
        Bulkhead bulkhead = full(1, 1);
        bulkhead.enqueue(waiter("a"));
        bulkhead.delegate().releasePermission();
        assertThat(bulkhead.tryAcquire()).isFalse();
        assertThat(bulkhead.enqueue(waiter("b"))).isTrue();
        runLoop();
        assertThat(arrived).containsExactly("a");
        assertThat(bulkhead.waiting()).isEqualTo(1);
    }

    @Test
    void passesOverAWaiterWhoLeftBeforeItEntered() {
        Bulkhead bulkhead = bulkhead(1, 1);
        BulkheadWaiter gone = waiter("a");
        gone.leave();
        bulkhead.enqueue(gone);
        runLoop();
        assertThat(arrived).isEmpty();
        assertThat(bulkhead.available()).isEqualTo(1);
        assertThat(bulkhead.waiting()).isZero();
    }

    @Test
    void deliversAPermitOnTheEventLoopOnly() {
        Bulkhead bulkhead = full(1, 1);
        bulkhead.enqueue(waiter("a"));
        bulkhead.release();
        assertThat(arrived).isEmpty();
        assertThat(loop).hasSize(1);
    }

    @Test
    void servesAWaiterThatFindsAFreePermit() {
        Bulkhead bulkhead = bulkhead(1, 1);
        bulkhead.enqueue(waiter("a"));
        runLoop();
        assertThat(arrived).containsExactly("a");
        assertThat(bulkhead.waiting()).isZero();
    }

    @Test
    void leavingFreesThePlace() {
        Bulkhead bulkhead = full(1, 1);
        BulkheadWaiter leaver = waiter("a");
        bulkhead.enqueue(leaver);
        leaver.leave();
        leaver.leave();
        assertThat(bulkhead.waiting()).isZero();
        assertThat(bulkhead.enqueue(waiter("b"))).isTrue();
        bulkhead.release();
        runLoop();
        assertThat(arrived).containsExactly("b");
    }

    @Test
    void aPermitOnItsWayToOneWhoLeftGoesToTheNext() {
        Bulkhead bulkhead = full(1, 2);
        BulkheadWaiter leaver = waiter("a");
        bulkhead.enqueue(leaver);
        bulkhead.enqueue(waiter("b"));
        bulkhead.release();
        leaver.leave();
        runLoop();
        assertThat(arrived).containsExactly("b");
        bulkhead.release();
        assertThat(bulkhead.available()).isEqualTo(1);
    }

    @Test
    void leavingAfterThePermitArrivedIsABug() {
        Bulkhead bulkhead = bulkhead(1, 1);
        BulkheadWaiter waiter = waiter("a");
        bulkhead.enqueue(waiter);
        runLoop();
        assertThatIllegalStateException().isThrownBy(waiter::leave);
        bulkhead.release();
        assertThat(bulkhead.available()).isEqualTo(1);
    }

    @Test
    void leavingWithoutHavingEnteredDoesNothing() {
        waiter("a").leave();
        Bulkhead bulkhead = full(1, 0);
        BulkheadWaiter refused = waiter("b");
        assertThat(bulkhead.enqueue(refused)).isFalse();
        refused.leave();
        assertThat(bulkhead.waiting()).isZero();
    }

    @Test
    void passesOverAWaiterWhoseEventLoopHasEnded() {
        Bulkhead bulkhead = full(1, 2);
        bulkhead.enqueue(waiter("a", task -> {
            throw new RejectedExecutionException();
        }));
        bulkhead.enqueue(waiter("b"));
        bulkhead.release();
        runLoop();
        assertThat(arrived).containsExactly("b");
    }

    @Test
    void releasingWhatNobodyHoldsIsABug() {
        Bulkhead bulkhead = bulkhead(1, 0);
        assertThatIllegalStateException()
                .isThrownBy(bulkhead::release)
                .withMessage("bulkhead sber released more often than acquired");
        assertThat(bulkhead.available()).isEqualTo(1);
    }

    @Test
    void acceptsNoPolicyThatAdmitsNobody() {
        assertThatIllegalArgumentException().isThrownBy(() -> bulkhead(0, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> bulkhead(1, -1));
    }

    private static Bulkhead bulkhead(int limit, int maxWaiting) {
        return new Bulkhead("sber", new BulkheadPolicy(limit, BulkheadPolicy.DEFAULT_MAX_WAIT, maxWaiting));
    }

    private static Bulkhead full(int limit, int maxWaiting) {
        Bulkhead bulkhead = bulkhead(limit, maxWaiting);
        for (int i = 0; i < limit; i++) {
            assertThat(bulkhead.tryAcquire()).isTrue();
        }
        return bulkhead;
    }

    private BulkheadWaiter waiter(String name) {
        return waiter(name, loop::add);
    }

    private BulkheadWaiter waiter(String name, Executor eventLoop) {
        return new BulkheadWaiter(eventLoop, Priority.NORMAL) {
            @Override
            protected void onDisplaced() {}

            @Override
            protected void onPermit() {
                arrived.add(name);
            }
        };
    }

    private void runLoop() {
        for (Runnable task = loop.poll(); task != null; task = loop.poll()) {
            task.run();
        }
    }
}
