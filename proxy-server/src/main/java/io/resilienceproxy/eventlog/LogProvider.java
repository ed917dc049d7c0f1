package io.resilienceproxy.eventlog;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.CoreConstants;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Logback under {@link LogbackConfiguration}, without looking for another configuration: Logback's own provider compares
 * versions, ranks configurators and times them first. Made by slf4j, which calls {@link #initialize} once.
 */
public final class LogProvider implements SLF4JServiceProvider {

    /** Of slf4j; it warns at other major versions. */
    private static final String REQUESTED_API_VERSION = "2.0.99";

    private static final String PROPERTY = "slf4j.provider";

    private final LoggerContext context = new LoggerContext();
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final LogbackMDCAdapter mdc = new LogbackMDCAdapter();

    /**
     * Begins logging. For a process that has made no logger and no second thread yet: whoever asks for a logger while another
     * thread makes the first is given a stand-in. Where {@code logback.configurationFile} names a file, that file rules.
     */
    public static void begin() {
        if (System.getProperty("logback.configurationFile") == null && System.getProperty(PROPERTY) == null) {
            System.setProperty(PROPERTY, LogProvider.class.getName());
            // It would print that it was told so.
            System.setProperty("slf4j.internal.verbosity", System.getProperty("slf4j.internal.verbosity", "WARN"));
        }
        LoggerFactory.getILoggerFactory();
    }

    @Override
    public void initialize() {
        context.setName(CoreConstants.DEFAULT_CONTEXT_NAME);
        context.setMDCAdapter(mdc);
        LogbackConfiguration configuration = new LogbackConfiguration();
        configuration.setContext(context);
        configuration.configure(context);
        context.start();
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return context;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return mdc;
    }

    @Override
    public String getRequestedApiVersion() {
        return REQUESTED_API_VERSION;
    }
}
