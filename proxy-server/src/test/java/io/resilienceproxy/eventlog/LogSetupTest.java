package io.resilienceproxy.eventlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import io.resilienceproxy.policy.Logging;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class LogSetupTest {

    private final LoggerContext context = new LoggerContext();

    @BeforeEach
    void completeTheContext() {
        context.setMDCAdapter(new LogbackMDCAdapter());
    }

    @AfterEach
    void stop() {
        context.stop();
        LogSetup.apply(Logging.DEFAULT);
    }

    @Test
    void configuresTheProcessWithoutAFile() {
        LoggerContext process = (LoggerContext) LoggerFactory.getILoggerFactory();

        assertThat(process.getLogger(Logger.ROOT_LOGGER_NAME).getAppender(LogbackConfiguration.APPENDER))
                .isInstanceOf(BoundedAsyncAppender.class);
        assertThat(LogSetup.droppedLines()).isZero();
    }

    @Test
    void changesTheLevelOfItsOwnLinesAndNeverMakesLibrariesChatter() {
        Logger own = LoggerFactory.getLogger(EventLog.class);
        Logger library = LoggerFactory.getLogger("io.netty.channel");
        Logger access = LoggerFactory.getLogger(AccessLog.LOGGER);

        LogSetup.apply(new Logging(Logging.Level.DEBUG, Logging.Access.OFF));
        assertThat(own.isDebugEnabled()).isTrue();
        assertThat(library.isDebugEnabled()).isFalse();

        LogSetup.apply(new Logging(Logging.Level.ERROR, Logging.Access.OFF));
        assertThat(own.isWarnEnabled()).isFalse();
        assertThat(library.isWarnEnabled()).isFalse();
        assertThat(access.isInfoEnabled())
                .as("access lines have a switch of their own")
                .isTrue();
    }

    @Test
    void writesOneLinePerEventWithAUtcTimestamp() {
        new LogbackConfiguration().configure(context);
        LoggingEvent event = event("first\nsecond", new IllegalStateException("broken"));
        event.setTimeStamp(1_700_000_000_123L);

        String line = new String(encoder().encode(event), StandardCharsets.UTF_8);
        assertThat(line)
                .startsWith(
                        "2023-11-14T22:13:20.123Z WARN  Traffic first | second | java.lang.IllegalStateException: broken")
                .containsOnlyOnce("\n")
                .endsWith("\n");
        assertThat(new String(encoder().encode(event("no exception", null)), StandardCharsets.UTF_8))
                .endsWith(" Traffic no exception\n");
    }

    private Encoder<ILoggingEvent> encoder() {
        BoundedAsyncAppender queue = (BoundedAsyncAppender)
                context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender(LogbackConfiguration.APPENDER);
        return ((ConsoleAppender<ILoggingEvent>) queue.writer()).getEncoder();
    }

    @Test
    void dropsAndCountsInsteadOfWaitingForASlowWriter() {
        StuckAppender stuck = new StuckAppender();
        BoundedAsyncAppender queue = queueOf(4, stuck);
        queue.doAppend(event("taken by the writer", null));
        await().until(() -> queue.queued() == 0);

        for (int i = 0; i < 10; i++) {
            queue.doAppend(event("line " + i, null));
        }
        assertThat(queue.droppedLines()).isEqualTo(6);

        stuck.release.countDown();
        queue.stop();
        assertThat(stuck.written)
                .as("what was queued is written before the end")
                .hasSize(5);
    }

    private BoundedAsyncAppender queueOf(int size, StuckAppender writer) {
        writer.setContext(context);
        writer.start();
        BoundedAsyncAppender queue = new BoundedAsyncAppender(size, writer);
        queue.setContext(context);
        queue.start();
        return queue;
    }

    private LoggingEvent event(String message, Throwable thrown) {
        return new LoggingEvent(
                getClass().getName(), context.getLogger("a.b.Traffic"), Level.WARN, message, thrown, new Object[0]);
    }

    /** Writes nothing until it is released. */
    private static final class StuckAppender extends AppenderBase<ILoggingEvent> {
        private final CountDownLatch release = new CountDownLatch(1);
        private final List<String> written = new CopyOnWriteArrayList<>();

        @Override
        protected void append(ILoggingEvent event) {
            try {
                release.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            written.add(event.getFormattedMessage());
        }
    }
}
