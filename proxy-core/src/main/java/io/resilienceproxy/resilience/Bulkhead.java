package io.resilienceproxy.resilience;

import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.resilienceproxy.policy.BulkheadPolicy;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A semaphore bulkhead with a bounded queue that nobody blocks in (rules BH-1 to BH-3).
 *
 * <p>The permits are Resilience4j's, with its own waiting switched off; the queue in front of them is ours: first come,
 * first served, at most {@link BulkheadPolicy#maxWaiting()} entries. A permit that comes back goes to the queue, and
 * nobody is served past it.
 *
 * <p>Thread-safe and lock-free. No waiter is stranded while a permit is free: whoever puts a permit back or a waiter in
 * looks, after that step, for a pair of the two, and a permit that finds no waiter is put back and looked for again. So
 * of a permit and a waiter, the one that comes second finds the first; and a permit that is missing meanwhile is held,
 * and will come back through the same door.
 */
public final class Bulkhead {

    private final io.github.resilience4j.bulkhead.Bulkhead permits;
    private final int limit;
    private final int maxWaiting;
    private final Queue<BulkheadWaiter> queue = new ConcurrentLinkedQueue<>();

    /** Places taken in the queue, by entries in it and by those about to enter it; never above the maximum. */
    private final AtomicInteger waiting = new AtomicInteger();

    /** With all permits free. @param policy at least 1 permit; 0 or more places in the queue */
    public Bulkhead(String name, BulkheadPolicy policy) {
        this.limit = policy.maxConcurrentCalls();
        this.maxWaiting = policy.maxWaiting();
        if (limit < 1 || maxWaiting < 0) {
            throw new IllegalArgumentException(
                    "bulkhead: " + policy + " (expected: 1 permit or more, 0 waiting or more)");
        }
        this.permits = io.github.resilience4j.bulkhead.Bulkhead.of(
                name,
                BulkheadConfig.custom()
                        .maxConcurrentCalls(limit)
                        .maxWaitDuration(Duration.ZERO)
                        .writableStackTraceEnabled(false)
                        .build());
    }

    /** {@code upstream} or {@code upstream.route}. */
    public String name() {
        return permits.getName();
    }

    /** A permit now, if one is free and nobody waits for it. Each true must be followed by one {@link #release()}. */
    public boolean tryAcquire() {
        // The queue itself is asked, not the count: a place that is only reserved must not refuse a free permit.
        return queue.isEmpty() && permits.tryAcquirePermission();
    }

    /**
     * Waits for a permit without blocking.
     *
     * @param waiter a fresh one
     * @return false when the queue is full and no permit free: the waiter was not taken in. True: {@link BulkheadWaiter#onPermit()} follows,
     *     unless the waiter leaves first; the wait has no end of its own, the caller bounds it
     */
    public boolean enqueue(BulkheadWaiter waiter) {
        waiter.enter(this);
        while (!takePlace()) {
            if (tryAcquire()) {
                return grantOrPutBack(waiter);
            }
            if (available() <= 0) {
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
        putBack();
        return false;
    }

    /**
     * Gives a permit back: once for each one acquired.
     *
     * @throws IllegalStateException when no permit is out: a bug that would raise the limit
     */
    public void release() {
        if (available() >= limit) {
            throw new IllegalStateException("bulkhead " + name() + " released more often than acquired");
        }
        putBack();
    }

    private void putBack() {
        permits.releasePermission();
        handOut();
    }

    void leave(BulkheadWaiter waiter) {
        if (queue.remove(waiter)) {
            waiting.decrementAndGet();
        }
    }

    private void handOut() {
        while (!queue.isEmpty() && permits.tryAcquirePermission()) {
            BulkheadWaiter next = queue.poll();
            if (next == null) {
                permits.releasePermission();
                continue;
            }
            waiting.decrementAndGet();
            if (!next.grant()) {
                permits.releasePermission();
            }
        }
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
