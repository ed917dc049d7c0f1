package io.resilienceproxy.resilience;

import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.resilienceproxy.policy.BulkheadPolicy;
import io.resilienceproxy.policy.Priority;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A semaphore bulkhead with a bounded queue that nobody blocks in (rules BH-1 to BH-3).
 *
 * <p>The permits are Resilience4j's, with its own waiting switched off; the queue in front of them is ours, at most
 * {@link BulkheadPolicy#maxWaiting()} entries: the highest priority first, and within it first come, first served. A permit
 * that comes back goes to the queue, and nobody is served past his like. When the queue is full, one of a higher priority
 * takes the place of the one that came last with the lowest.
 *
 * <p>Low priority never has more than {@value #LOW_SHARE_PERCENT} percent of the permits, though always one: what is left is
 * there at once for the others, however long background calls take.
 *
 * <p>Thread-safe and lock-free. No waiter is stranded while a permit is free: whoever puts a permit back or a waiter in
 * looks, after that step, for a pair of the two, and a permit that finds no waiter is put back and looked for again. So
 * of a permit and a waiter, the one that comes second finds the first; and a permit that is missing meanwhile is held,
 * and will come back through the same door. The share of low priority is a second kind of permit, and the same holds of
 * it: whoever has taken one in vain gives it back and looks again.
 *
 * <p>It outlives its policy: {@link #change} gives it another limit, and the permits that are out count under it. Where
 * more are out than a lower limit allows, the next ones to come back are kept. Resilience4j's own way to lower a limit
 * blocks until enough have come back.
 */
public final class Bulkhead {

    private static final int LOW_SHARE_PERCENT = 80;

    private final io.github.resilience4j.bulkhead.Bulkhead permits;
    private volatile int limit;
    private volatile int maxWaiting;

    /** Permits that a lower limit has yet to take in. Above 0 only while none is free, or for a moment. */
    private final AtomicInteger excess = new AtomicInteger();

    /** Permits that low priority has, or is about to have. */
    private final AtomicInteger low = new AtomicInteger();

    private final WaitingLines queue = new WaitingLines();

    /** Places taken in the queue, by entries in it and by those about to enter it; never above the maximum. */
    private final AtomicInteger waiting = new AtomicInteger();

    /** With all permits free. @param policy at least 1 permit; 0 or more places in the queue */
    public Bulkhead(String name, BulkheadPolicy policy) {
        check(policy);
        this.limit = policy.maxConcurrentCalls();
        this.maxWaiting = policy.maxWaiting();
        this.permits = io.github.resilience4j.bulkhead.Bulkhead.of(
                name,
                BulkheadConfig.custom()
                        .maxConcurrentCalls(limit)
                        .maxWaitDuration(Duration.ZERO)
                        .writableStackTraceEnabled(false)
                        .build());
    }

    private static void check(BulkheadPolicy policy) {
        if (policy.maxConcurrentCalls() < 1 || policy.maxWaiting() < 0) {
            throw new IllegalArgumentException(
                    "bulkhead: " + policy + " (expected: 1 permit or more, 0 waiting or more)");
        }
    }

    /**
     * Prepares another policy; it holds from when the returned step is run. Nobody is interrupted, and nobody who waits
     * loses the place.
     *
     * @param policy as the constructor takes it
     * @return to be run once, before the next change, on the thread that prepares it
     */
    public Runnable change(BulkheadPolicy policy) {
        check(policy);
        return () -> {
            maxWaiting = policy.maxWaiting();
            int more = policy.maxConcurrentCalls() - limit;
            if (more > 0) {
                // The limit first: whoever gives a permit back must not find more free than it allows.
                limit = policy.maxConcurrentCalls();
                raise(more);
            } else if (more < 0) {
                excess.addAndGet(-more);
                takeIn();
                limit = policy.maxConcurrentCalls();
                // A permit that was taken in too many and put back may have been missed by who came to wait meanwhile.
                handOut();
            }
        };
    }

    private void raise(int permitsMore) {
        for (int i = 0; i < permitsMore; i++) {
            if (!keep()) {
                permits.releasePermission();
            }
        }
        handOut();
    }

    /** Takes free permits away as long as there are too many. */
    private void takeIn() {
        while (excess.get() > 0 && permits.tryAcquirePermission()) {
            if (!keep()) {
                permits.releasePermission();
            }
        }
    }

    /** False where no permit is too many. */
    private boolean keep() {
        int before;
        do {
            before = excess.get();
            if (before == 0) {
                return false;
            }
        } while (!excess.compareAndSet(before, before - 1));
        return true;
    }

    /** {@code upstream} or {@code upstream.route}. */
    public String name() {
        return permits.getName();
    }

    /** {@link #tryAcquire(Priority)} with normal priority. */
    public boolean tryAcquire() {
        return tryAcquire(Priority.NORMAL);
    }

    /**
     * A permit now, if one is free for that priority and nobody waits for it with the same or a higher one. Each true must
     * be followed by one {@link #release(Priority)}.
     */
    public boolean tryAcquire(Priority priority) {
        // The queue itself is asked, not the count: a place that is only reserved must not refuse a free permit.
        if (!queue.isFreeFor(priority)) {
            return false;
        }
        if (priority != Priority.LOW) {
            return permits.tryAcquirePermission();
        }
        boolean acquired = take(Priority.LOW);
        if (!acquired && available() > 0) {
            handOut();
        }
        return acquired;
    }

    /** A permit, and for low priority one of its share; both or none. In vain, the caller looks at the queue once more. */
    private boolean take(Priority priority) {
        if (priority != Priority.LOW) {
            return permits.tryAcquirePermission();
        }
        int before;
        do {
            before = low.get();
            if (before >= lowLimit()) {
                return false;
            }
        } while (!low.compareAndSet(before, before + 1));
        if (permits.tryAcquirePermission()) {
            return true;
        }
        low.decrementAndGet();
        return false;
    }

    private int lowLimit() {
        return Math.max(1, limit * LOW_SHARE_PERCENT / 100);
    }

    private boolean mayTakeLow() {
        return low.get() < lowLimit();
    }

    /**
     * Waits for a permit without blocking.
     *
     * @param waiter a fresh one
     * @return false when the queue is full, with nobody in it of a lower priority, and no permit free: the waiter was not
     *     taken in. True: {@link BulkheadWaiter#onPermit()} or {@link BulkheadWaiter#onDisplaced()} follows, unless the
     *     waiter leaves first; the wait has no end of its own, the caller bounds it
     */
    public boolean enqueue(BulkheadWaiter waiter) {
        waiter.enter(this);
        Priority priority = waiter.priority();
        while (!takePlace()) {
            if (tryAcquire(priority)) {
                return grantOrPutBack(waiter);
            }
            BulkheadWaiter displaced = queue.pollLastBelow(priority);
            if (displaced != null) {
                // Its place is the waiter's now, also where it has just left by itself.
                displaced.displace();
                queue.add(waiter);
                handOut();
                return true;
            }
            if (available() <= 0 || priority == Priority.LOW && !mayTakeLow()) {
                return false;
            }
            // Permits are free, so those in the queue are about to be served and make room: refusing would be wrong.
            handOut();
        }
        queue.add(waiter);
        handOut();
        return true;
    }

    private boolean takePlace() {
        int before;
        do {
            before = waiting.get();
            if (before >= maxWaiting) {
                return false;
            }
        } while (!waiting.compareAndSet(before, before + 1));
        return true;
    }

    /** With a permit that came back while the caller was on its way from a refused {@link #tryAcquire()} to the queue. */
    private boolean grantOrPutBack(BulkheadWaiter waiter) {
        if (waiter.grant()) {
            return true;
        }
        putBack(waiter.priority());
        return false;
    }

    /** {@link #release(Priority)} of a permit of normal priority. */
    public void release() {
        release(Priority.NORMAL);
    }

    /**
     * Gives a permit back: once for each one acquired.
     *
     * @param priority with which it was acquired
     * @throws IllegalStateException when no permit is out: a bug that would raise the limit
     */
    public void release(Priority priority) {
        if (available() >= limit) {
            throw new IllegalStateException("bulkhead " + name() + " released more often than acquired");
        }
        putBack(priority);
    }

    private void putBack(Priority priority) {
        if (priority == Priority.LOW) {
            low.decrementAndGet();
        }
        if (!keep()) {
            free();
        }
        handOut();
    }

    /** A limit may have been lowered since nothing was too many: whoever comes second of the two takes the permit in. */
    private void free() {
        permits.releasePermission();
        takeIn();
    }

    void leave(BulkheadWaiter waiter) {
        if (queue.remove(waiter)) {
            waiting.decrementAndGet();
        }
    }

    private void handOut() {
        Priority first;
        while ((first = queue.first(mayTakeLow())) != null) {
            if (!take(first)) {
                if (available() <= 0) {
                    return;
                }
                continue;
            }
            BulkheadWaiter next = queue.poll(first);
            if (next == null) {
                putBackTaken(first);
                continue;
            }
            waiting.decrementAndGet();
            if (!next.grant()) {
                putBackTaken(first);
            }
        }
    }

    private void putBackTaken(Priority priority) {
        if (priority == Priority.LOW) {
            low.decrementAndGet();
        }
        free();
    }

    public int limit() {
        return limit;
    }

    /** Free permits. */
    public int available() {
        return permits.getMetrics().getAvailableConcurrentCalls();
    }

    public int waiting() {
        return waiting.get();
    }

    /** For the Micrometer binding only. */
    public io.github.resilience4j.bulkhead.Bulkhead delegate() {
        return permits;
    }
}
