package io.resilienceproxy.bench;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs benchmarks on threads of the kind that event loops are: on others Netty recycles nothing, and bytes per operation would
 * be those of no proxy. For {@code -Djmh.executor=CUSTOM -Djmh.executor.class=}.
 */
public final class LoopThreads extends ThreadPoolExecutor {

    /** As JMH calls it. */
    public LoopThreads(int threads, String name) {
        super(threads, threads, 1, TimeUnit.DAYS, new LinkedBlockingQueue<>(), new DefaultThreadFactory(name));
    }
}
