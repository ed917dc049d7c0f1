package io.resilienceproxy.eventlog;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.nio.charset.StandardCharsets;

/**
 * How the process logs: one line per event to standard output, through a bounded queue that makes nobody wait.
 *
 * <p>Found by Logback as a service. In code rather than in XML, which takes a parser and a good part of the start-up
 * time; whoever sets {@code -Dlogback.configurationFile} still gets that file instead.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class LogbackConfiguration extends ContextAwareBase implements Configurator {

    static final String APPENDER = "queue";

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (System.getProperty("logback.configurationFile") != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        BoundedAsyncAppender queue = new BoundedAsyncAppender(BoundedAsyncAppender.QUEUE_SIZE, standardOutput(context));
        queue.setContext(context);
        queue.setName(APPENDER);
        queue.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.INFO);
        root.addAppender(queue);
        // Its own switch in the policy decides about access lines, not the level of the others.
        context.getLogger(AccessLog.LOGGER).setLevel(Level.INFO);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    private static ConsoleAppender<ILoggingEvent> standardOutput(LoggerContext context) {
        LineLayout layout = new LineLayout();
        layout.setContext(context);
        layout.start();
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setContext(context);
        encoder.setCharset(StandardCharsets.UTF_8);
        encoder.setLayout(layout);
        encoder.start();
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setContext(context);
        console.setName("stdout");
        console.setEncoder(encoder);
        console.start();
        return console;
    }
}
