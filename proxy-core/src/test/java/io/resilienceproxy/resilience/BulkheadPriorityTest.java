package io.resilienceproxy.resilience;

import static io.resilienceproxy.policy.Priority.HIGH;
import static io.resilienceproxy.policy.Priority.LOW;
import static io.resilienceproxy.policy.Priority.NORMAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.resilienceproxy.policy.BulkheadPolicy;
import io.resilienceproxy.policy.Priority;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Who is served first, and who is shed. */
class BulkheadPriorityTest {

    private final Queue<Runnable> loop = new ArrayDeque<>();
    private final List<String> arrived = new ArrayList<>();
    private final List<String> displaced = new ArrayList<>();

    @Test
    void aPermitThatComesBackGoesToTheHighestThatWaits() {
        Bulkhead bulkhead = full(1, 9);
        enqueue(bulkhead, "low 1", LOW);
        enqueue(bulkhead, "normal 1", NORMAL);
        enqueue(bulkhead, "high 1", HIGH);
        enqueue(bulkhead, "normal 2", NORMAL);
        enqueue(bulkhead, "high 2", HIGH);

        bulkhead.release(NORMAL);
        Priority[] order = {HIGH, HIGH, NORMAL, NORMAL, LOW};
        for (Priority priority : order) {
            runLoop();
            bulkhead.release(priority);
        }

        assertThat(arrived).containsExactly("high 1", "high 2", "normal 1", "normal 2", "low 1");
        assertThat(bulkhead.available()).isEqualTo(1);
    }

    @Test
    void aFullQueueShedsWhoCameLastOfTheLowest() {
        Bulkhead bulkhead = full(1, 3);
        enqueue(bulkhead, "low 1", LOW);
        enqueue(bulkhead, "low 2", LOW);
        enqueue(bulkhead, "normal 1", NORMAL);

        assertThat(enqueue(bulkhead, "low 3", LOW)).isFalse();
        assertThat(enqueue(bulkhead, "high 1", HIGH)).isTrue();
        assertThat(enqueue(bulkhead, "normal 2", NORMAL)).isTrue();
        assertThat(enqueue(bulkhead, "normal 3", NORMAL))
                .as("nobody below it waits")
                .isFalse();
        assertThat(enqueue(bulkhead, "high 2", HIGH)).isTrue();
        runLoop();

        assertThat(displaced).containsExactly("low 2", "low 1", "normal 2");
        assertThat(bulkhead.waiting()).isEqualTo(3);
    }

    @Test
    void whoIsDisplacedMayHaveLeftAndHearsNothing() {
        Bulkhead bulkhead = full(1, 1);
        BulkheadWaiter low = waiter("low", LOW);
        bulkhead.enqueue(low);
        enqueue(bulkhead, "high", HIGH);
        low.leave();
        runLoop();

        assertThat(displaced).isEmpty();
        assertThat(bulkhead.waiting()).isEqualTo(1);
        bulkhead.release();
        runLoop();
        assertThat(arrived).containsExactly("high");
    }

    @Test
    void lowLeavesAFifthOfThePermitsToOthers() {
        Bulkhead bulkhead = bulkhead(10, 5);
        for (int i = 0; i < 8; i++) {
            assertThat(bulkhead.tryAcquire(LOW)).isTrue();
        }
        assertThat(bulkhead.tryAcquire(LOW)).isFalse();
        assertThat(enqueue(bulkhead, "low", LOW)).isTrue();
        runLoop();
        assertThat(arrived).isEmpty();

        assertThat(bulkhead.tryAcquire(HIGH)).as("past a low one that waits").isTrue();
        assertThat(bulkhead.tryAcquire(NORMAL)).isTrue();
        assertThat(bulkhead.tryAcquire(NORMAL)).isFalse();

        bulkhead.release(HIGH);
        runLoop();
        assertThat(arrived).as("what others give back is not for low").isEmpty();
        bulkhead.release(LOW);
        runLoop();
        assertThat(arrived).containsExactly("low");
    }

    @Test
    void aFullQueueOfLowRefusesLowThoughPermitsAreFree() {
        Bulkhead bulkhead = bulkhead(2, 1);
        assertThat(bulkhead.tryAcquire(LOW)).isTrue();
        assertThat(enqueue(bulkhead, "low 1", LOW)).isTrue();

        assertThat(enqueue(bulkhead, "low 2", LOW)).isFalse();
        assertThat(bulkhead.available()).isEqualTo(1);
    }

    @Test
    void oneOfTheSamePriorityIsNotPassed() {
        Bulkhead bulkhead = full(1, 4);
        enqueue(bulkhead, "normal", NORMAL);
        bulkhead.release();

        assertThat(bulkhead.tryAcquire(NORMAL)).isFalse();
        assertThat(bulkhead.tryAcquire(LOW)).isFalse();
    }

    @Test
    void oneThatHasOnlyOnePermitGivesItToLowToo() {
        Bulkhead bulkhead = bulkhead(1, 1);

        assertThat(bulkhead.tryAcquire(LOW)).isTrue();
        bulkhead.release(LOW);
        assertThat(bulkhead.tryAcquire(LOW)).isTrue();
    }

    @Test
    void anotherLimitHasAnotherShare() {
        Bulkhead bulkhead = bulkhead(10, 4);
        for (int i = 0; i < 8; i++) {
            assertThat(bulkhead.tryAcquire(LOW)).isTrue();
        }
        enqueue(bulkhead, "low 9", LOW);
        enqueue(bulkhead, "low 10", LOW);

        bulkhead.change(new BulkheadPolicy(12, BulkheadPolicy.DEFAULT_MAX_WAIT, 4))
                .run();
        runLoop();

        assertThat(arrived).containsExactly("low 9");
        assertThatIllegalStateException().isThrownBy(() -> {
            for (int i = 0; i < 20; i++) {
                bulkhead.release(LOW);
            }
        });
    }

    private boolean enqueue(Bulkhead bulkhead, String name, Priority priority) {
        return bulkhead.enqueue(waiter(name, priority));
    }

    private BulkheadWaiter waiter(String name, Priority priority) {
        return new BulkheadWaiter(loop::add, priority) {
            @Override
            protected void onPermit() {
                arrived.add(name);
            }

            @Override
            protected void onDisplaced() {
                displaced.add(name);
            }
        };
    }

    private void runLoop() {
        for (Runnable task = loop.poll(); task != null; task = loop.poll()) {
            task.run();
        }
    }

    private static Bulkhead full(int limit, int maxWaiting) {
        Bulkhead bulkhead = bulkhead(limit, maxWaiting);
        for (int i = 0; i < limit; i++) {
            assertThat(bulkhead.tryAcquire(NORMAL)).isTrue();
        }
        return bulkhead;
    }

    private static Bulkhead bulkhead(int limit, int maxWaiting) {
        return new Bulkhead("sber", new BulkheadPolicy(limit, BulkheadPolicy.DEFAULT_MAX_WAIT, maxWaiting));
    }
}
