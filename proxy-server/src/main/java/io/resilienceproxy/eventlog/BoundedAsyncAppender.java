package io.resilienceproxy.eventlog;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Hands events to a thread that writes them, and never makes its caller wait: what finds the queue full is dropped and
 * counted. Logback's own asynchronous appender drops without counting, and asks for room and takes it in two steps.
 */
final class BoundedAsyncAppender extends UnsynchronizedAppenderBase<ILoggingEvent> {

    static final int QUEUE_SIZE = 8192;

    /** How long {@link #stop()} waits for the queue to be written. */
    static final int FLUSH_MILLIS = 2000;

    private static final ILoggingEvent END = new LoggingEvent();

    private final BlockingQueue<ILoggingEvent> queue;
    private final Appender<ILoggingEvent> writer;
    private final Thread thread = new Thread(this::write, "log-writer");
    private final LongAdder dropped = new LongAdder();

    /** @param writer started by the caller, and stopped by this one once the last event is written */
    BoundedAsyncAppender(int queueSize, Appender<ILoggingEvent> writer) {
        this.queue = new ArrayBlockingQueue<>(queueSize);
        this.writer = writer;
        thread.setDaemon(true);
    }

    Appender<ILoggingEvent> writer() {
        return writer;
    }

    @Override
    public void start() {
        super.start();
        thread.start();
    }

    @Override
    protected void append(ILoggingEvent event) {
        event.prepareForDeferredProcessing();
        if (!queue.offer(event)) {
            dropped.increment();
        }
    }

    private void write() {
        try {
            for (ILoggingEvent event = queue.take(); event != END; event = queue.take()) {
                writer.doAppend(event);
            }
        } catch (InterruptedException e) {
            // Nobody interrupts it but whoever ends the process.
        }
        writer.stop();
    }

    /** Takes nothing more, and waits until what was taken is written. */
    @Override
    public void stop() {
        if (!isStarted()) {
            return;
        }
        super.stop();
        try {
            if (queue.offer(END, FLUSH_MILLIS, TimeUnit.MILLISECONDS)) {
                thread.join(FLUSH_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Events that wait to be written. */
    int queued() {
        return queue.size();
    }

    /** Lines lost since the start because the queue was full. */
    long droppedLines() {
        return dropped.sum();
    }
}
