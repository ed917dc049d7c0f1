package io.resilienceproxy.resilience;

import io.resilienceproxy.policy.Priority;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/** Who waits for a permit: one line per priority, first come, first served in each. Thread-safe and lock-free. */
final class WaitingLines {

    private static final Priority[] PRIORITIES = Priority.values();

    /** By priority, the highest first. */
    private final List<Deque<BulkheadWaiter>> lines =
            List.of(new ConcurrentLinkedDeque<>(), new ConcurrentLinkedDeque<>(), new ConcurrentLinkedDeque<>());

    private Deque<BulkheadWaiter> line(Priority priority) {
        return lines.get(priority.ordinal());
    }

    void add(BulkheadWaiter waiter) {
        line(waiter.priority()).add(waiter);
    }

    boolean remove(BulkheadWaiter waiter) {
        return line(waiter.priority()).remove(waiter);
    }

    /** Whether one who comes now would be the next: nobody of the same priority or a higher one waits. */
    boolean isFreeFor(Priority priority) {
        for (int i = 0; i <= priority.ordinal(); i++) {
            if (!lines.get(i).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** The highest priority that anybody waits with; null when nobody waits. @param low whether low counts */
    @Nullable
    Priority first(boolean low) {
        for (Priority priority : PRIORITIES) {
            if ((low || priority != Priority.LOW) && !line(priority).isEmpty()) {
                return priority;
            }
        }
        return null;
    }

    /** Who has waited longest with that priority. */
    @Nullable
    BulkheadWaiter poll(Priority priority) {
        return line(priority).poll();
    }

    /** Of those of the lowest priority below that one, who came last; null when nobody waits with a lower one. */
    @Nullable
    BulkheadWaiter pollLastBelow(Priority priority) {
        for (int i = PRIORITIES.length - 1; i > priority.ordinal(); i--) {
            BulkheadWaiter last = lines.get(i).pollLast();
            if (last != null) {
                return last;
            }
        }
        return null;
    }
}
