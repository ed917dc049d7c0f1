package io.resilienceproxy.eventlog;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.concurrent.atomic.LongAdder;

/**
 * Logback's asynchronous appender, set so that it never makes its caller wait and drops by no level of its own, and with
 * a count of what it dropped.
 */
final class BoundedAsyncAppender extends AsyncAppender {

    static final int QUEUE_SIZE = 8192;

    /** How long {@link #stop()} waits for the queue to be written. */
    static final int FLUSH_MILLIS = 2000;

    private final LongAdder dropped = new LongAdder();

    /** Makes one step of asking for room and taking it, so that no drop goes uncounted; held for a queue operation. */
    private final Object offering = new Object();

    BoundedAsyncAppender(int queueSize) {
        setQueueSize(queueSize);
        setDiscardingThreshold(0);
        setNeverBlock(true);
        setMaxFlushTime(FLUSH_MILLIS);
    }

    @Override
    protected void put(ILoggingEvent event) {
        synchronized (offering) {
            if (getRemainingCapacity() > 0) {
                super.put(event);
                return;
            }
        }
        dropped.increment();
    }

    /** Lines lost since the start because the queue was full. */
    long droppedLines() {
        return dropped.sum();
    }
}
