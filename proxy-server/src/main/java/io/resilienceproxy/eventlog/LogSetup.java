package io.resilienceproxy.eventlog;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import io.resilienceproxy.policy.Logging;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The switches of the process's log, for whoever loads policies and stops the process. Thread-safe. */
public final class LogSetup {

    private static final String OWN_LOGGERS = "io.resilienceproxy";

    private LogSetup() {}

    /**
     * Sets the level of the proxy's own lines from now on. Libraries follow it where it is stricter than INFO and stay at
     * INFO otherwise: Netty's debug lines would drown the proxy's.
     */
    public static void apply(Logging logging) {
        Level own = Level.toLevel(logging.level().name());
        context().getLogger(OWN_LOGGERS).setLevel(own);
        context().getLogger(Logger.ROOT_LOGGER_NAME).setLevel(own.isGreaterOrEqual(Level.INFO) ? own : Level.INFO);
    }

    /** Lines lost since the start because standard output could not keep up. Never decreasing. */
    public static long droppedLines() {
        return context().getLogger(Logger.ROOT_LOGGER_NAME).getAppender(LogbackConfiguration.APPENDER)
                        instanceof BoundedAsyncAppender queue
                ? queue.droppedLines()
                : 0;
    }

    /** Writes what is queued, for two seconds at most, and ends logging: the last step of the process. */
    public static void stop() {
        context().stop();
    }

    private static LoggerContext context() {
        return (LoggerContext) LoggerFactory.getILoggerFactory();
    }
}
