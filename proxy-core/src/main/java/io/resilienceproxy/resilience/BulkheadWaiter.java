package io.resilienceproxy.resilience;

import java.util.concurrent.Executor;
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
        LEFT
    }

    private final Executor eventLoop;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private @Nullable Bulkhead bulkhead;

    protected BulkheadWaiter(Executor eventLoop) {
        this.eventLoop = eventLoop;
    }

    /** The permit has arrived, on the event loop; the attempt must release it. Never called after {@link #leave()}. */
    protected abstract void onPermit();

    /**
     * Gives up waiting, on the event loop. A permit that is on its way goes back by itself.
     *
     * @throws IllegalStateException when the permit has arrived: it is the attempt's to release
     */
    public final void leave() {
        State before = state.getAndSet(State.LEFT);
        if (before == State.ARRIVED) {
            throw new IllegalStateException("the permit has arrived");
        }
        if (before == State.WAITING && bulkhead != null) {
            bulkhead.leave(this);
        }
    }

    final void enter(Bulkhead into) {
        bulkhead = into;
    }

    /** @return false when the waiter has left: the permit is still the bulkhead's */
    final boolean grant() {
        if (!state.compareAndSet(State.WAITING, State.GRANTED)) {
            return false;
        }
        eventLoop.execute(this::arrive);
        return true;
    }

    private void arrive() {
        if (state.compareAndSet(State.GRANTED, State.ARRIVED)) {
            onPermit();
        } else if (bulkhead != null) {
            bulkhead.release();
        }
    }
}
