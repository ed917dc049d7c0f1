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
 * first served, at most {@link BulkheadPolicy#maxWaiting()} entries. A permit that comes back goes to the queue before
 * anyone else may take it.
 *
 * <p>Thread-safe and lock-free. No permit is lost between a release that finds the queue empty and a waiter that enters
 * it: both sides hand out permits after their own step, so whoever comes second sees the other.
 */
public final class Bulkhead {

    private final io.github.resilience4j.bulkhead.Bulkhead permits;
    private final int limit;
    private final int maxWaiting;
    private final Queue<BulkheadWaiter> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();

    public Bulkhead(String name, BulkheadPolicy policy) {
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

    /** {@code upstream} or {@code upstream.route}. */
    public String name() {
        return permits.getName();
    }

    /** A permit now, if one is free and nobody waits for it. Each true must be followed by one {@link #release()}. */
    public boolean tryAcquire() {
        return waiting.get() == 0 && permits.tryAcquirePermission();
    }

    /**
     * Waits for a permit without blocking.
     *
     * @return false when the queue is full: the waiter was not taken in. True: {@link BulkheadWaiter#onPermit()} follows,
     *     unless the waiter leaves first; the wait has no end of its own, the caller bounds it
     */
    public boolean enqueue(BulkheadWaiter waiter) {
        if (waiting.incrementAndGet() > maxWaiting) {
            waiting.decrementAndGet();
            handOut();
            return false;
        }
        waiter.enter(this);
        queue.add(waiter);
        handOut();
        return true;
    }

    /** Gives a permit back: once for each one acquired. */
    public void release() {
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
