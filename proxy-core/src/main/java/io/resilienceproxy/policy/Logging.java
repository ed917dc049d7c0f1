package io.resilienceproxy.policy;

/** What is logged: the level of the proxy's own lines, and which exchanges get an access line. */
public record Logging(Level level, Access access) {

    public static final Logging DEFAULT = new Logging(Level.INFO, Access.ERRORS);

    public enum Level {
        ERROR,
        WARN,
        INFO,
        DEBUG,
        TRACE
    }

    public enum Access {
        OFF,
        /** Exchanges that did not end with a 2xx of the upstream, whole. */
        ERRORS,
        ALL
    }
}
