package io.resilienceproxy.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How often the process was asked to stop, by SIGTERM, by SIGINT, or in another way that its owner chose. The first request
 * begins the end; each further one hastens it, see {@link Haste}. Thread-safe.
 */
final class StopRequests {

    /** How an end that has begun goes on. */
    enum Haste {
        /** One request: what is in flight ends, and the quiet period passes. */
        NONE,

        /** A second one: what is in flight ends, and the quiet period no longer counts. */
        WITHOUT_QUIET,

        /** A third one: what is in flight is cut off. */
        AT_ONCE
    }

    private final AtomicInteger count = new AtomicInteger();
    private final CountDownLatch first = new CountDownLatch(1);
    private Runnable unlisten = () -> {};

    /**
     * Counts the signals from now on: they no longer end the process. Before, the JVM ends with 143 (SIGTERM), 130 (SIGINT).
     */
    static StopRequests ofSignals() {
        StopRequests requests = new StopRequests();
        Runnable term = Signals.on("TERM", requests::add);
        Runnable interrupt = Signals.on("INT", requests::add);
        requests.unlisten = () -> {
            term.run();
            interrupt.run();
        };
        return requests;
    }

    /** Signals end the process again. Not to be called while it stops: the exit code would be theirs. */
    void forgetSignals() {
        unlisten.run();
    }

    void add() {
        count.incrementAndGet();
        first.countDown();
    }

    boolean isStopping() {
        return count.get() > 0;
    }

    Haste haste() {
        int further = Math.max(0, count.get() - 1);
        return Haste.values()[Math.min(further, Haste.AT_ONCE.ordinal())];
    }

    /** Blocks until the first request. */
    void await() throws InterruptedException {
        first.await();
    }
}
