package io.resilienceproxy.resilience;

import io.resilienceproxy.policy.Priority;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One place in a bulkhead's queue. Belongs to one attempt and is used once; a permit may be granted from any thread, and
 * arrives on the attempt's own event loop.
 */
public abstract class BulkheadWaiter {

    private enum State {
        WAITING,
        /** Has a permit that has not arrived yet. */
        GRANTED,
        ARRIVED,
        /** Has made room for one of a higher priority, and has not heard of it yet. */
        DISPLACED,
        LEFT
    }

    private final Executor eventLoop;
    private final Priority priority;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private @Nullable Bulkhead bulkhead;

    /**
     * A waiter that has not entered a queue.
     *
     * @param eventLoop runs one task after another; the attempt's own
     */
    protected BulkheadWaiter(Executor eventLoop, Priority priority) {
        this.eventLoop = eventLoop;
        this.priority = priority;
    }

    final Priority priority() {
        return priority;
    }

    /** The permit has arrived, on the event loop; the attempt must release it. Never called after {@link #leave()}. */
    protected abstract void onPermit();

    /**
     * The wait is over without a permit, on the event loop: one of a higher priority has the place. Never called after
     * {@link #leave()}.
     */
    protected abstract void onDisplaced();

    /**
     * Gives up waiting, on the event loop; a second time, or before entering a queue, it does nothing. A permit that is on
     * its way goes back by itself.
     *
     * @throws IllegalStateException when the permit has arrived: it is the attempt's to release
     */
    public final void leave() {
        if (state.get() == State.ARRIVED) {
            throw new IllegalStateException("the permit has arrived");
        }
        // Only grants race with this, and they come from WAITING alone: the arrival is a task of this thread.
        if (state.getAndSet(State.LEFT) == State.WAITING && bulkhead != null) {
            bulkhead.leave(this);
        }
    }

    final void enter(Bulkhead into) {
        bulkhead = into;
    }

    /** @return false when the waiter has left, or its event loop has ended: the permit is still the bulkhead's */
    final boolean grant() {
        if (!state.compareAndSet(State.WAITING, State.GRANTED)) {
            return false;
        }
        try {
            eventLoop.execute(this::arrive);
            return true;
        } catch (RejectedExecutionException ended) {
            // The loop is shut down with its exchanges; whoever releases a permit must not hear of it.
            state.set(State.LEFT);
            return false;
        }
    }

    /** Somebody else has the place; nothing is to be given back. */
    final void displace() {
        if (!state.compareAndSet(State.WAITING, State.DISPLACED)) {
            return;
        }
        try {
            eventLoop.execute(this::hearOfIt);
        } catch (RejectedExecutionException ended) {
            state.set(State.LEFT);
        }
    }

    private void hearOfIt() {
        if (state.compareAndSet(State.DISPLACED, State.LEFT)) {
            onDisplaced();
        }
    }

    private void arrive() {
        if (state.compareAndSet(State.GRANTED, State.ARRIVED)) {
            onPermit();
        } else if (bulkhead != null) {
            bulkhead.release(priority);
        }
    }
}
