package io.resilienceproxy.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.policy.BulkheadPolicy;
import io.resilienceproxy.policy.Priority;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A hundred calls of users among nine hundred of a background job that would take all permits, in simulated time: the
 * users' see next to nothing of it.
 */
class ShortPermitsTest {

    private static final int PERMITS = 16;
    private static final int HIGH = 100;
    private static final int LOW = 900;

    private record Event(long at, long number, Runnable task) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::number));
    private final List<Long> latencies = new ArrayList<>();
    private long now;
    private long number;
    private int served;
    private int shed;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theHundredSeeTheirP99WithinAFifthOfAnUnloadedRun(long seed) {
        long unloaded = p99OfHigh(seed, 0);
        long loaded = p99OfHigh(seed, LOW);

        assertThat(loaded).isLessThanOrEqualTo(unloaded * 120 / 100);
        assertThat(served + shed).isEqualTo(HIGH + LOW);
        assertThat(served).as("background calls are served too").isGreaterThan(HIGH + 300);
        assertThat(shed).as("permits were short").isGreaterThan(50);
    }

    /** Milliseconds, from when a call comes until it has run. */
    private long p99OfHigh(long seed, int low) {
        Random random = new Random(seed);
        Bulkhead bulkhead = new Bulkhead("sber", new BulkheadPolicy(PERMITS, BulkheadPolicy.DEFAULT_MAX_WAIT, PERMITS));
        latencies.clear();
        served = 0;
        shed = 0;
        now = 0;
        // Users come one by one, about one call of 90 to 110 ms at a time; the job comes all at once, again and again.
        for (int i = 0; i < HIGH; i++) {
            long work = 90 + random.nextInt(21);
            at(i * 50L + random.nextInt(50), () -> new Call(bulkhead, Priority.HIGH, work).begin());
        }
        for (int i = 0; i < low; i++) {
            long work = 90 + random.nextInt(21);
            at(i / 20 * 110L, () -> new Call(bulkhead, Priority.LOW, work).begin());
        }
        while (!events.isEmpty()) {
            Event next = events.poll();
            now = next.at();
            next.task().run();
        }
        assertThat(bulkhead.available()).isEqualTo(PERMITS);
        assertThat(latencies).as("no user is refused").hasSize(HIGH);
        latencies.sort(null);
        return latencies.get(98);
    }

    private void at(long time, Runnable task) {
        events.add(new Event(time, number++, task));
    }

    private final class Call extends BulkheadWaiter {

        private final Bulkhead bulkhead;
        private final Priority priority;
        private final long work;
        private final long begun = now;
        private boolean waits;

        Call(Bulkhead bulkhead, Priority priority, long work) {
            super(Runnable::run, priority);
            this.bulkhead = bulkhead;
            this.priority = priority;
            this.work = work;
        }

        void begin() {
            if (bulkhead.tryAcquire(priority)) {
                onPermit();
                return;
            }
            waits = true;
            if (!bulkhead.enqueue(this)) {
                shed();
            } else {
                at(now + BulkheadPolicy.DEFAULT_MAX_WAIT.toMillis(), this::losePatience);
            }
        }

        private void losePatience() {
            if (waits) {
                leave();
                shed();
            }
        }

        private void shed() {
            waits = false;
            shed++;
        }

        @Override
        protected void onPermit() {
            waits = false;
            at(now + work, this::end);
        }

        @Override
        protected void onDisplaced() {
            shed();
        }

        private void end() {
            bulkhead.release(priority);
            served++;
            if (priority == Priority.HIGH) {
                latencies.add(now - begun);
            }
        }
    }
}
