package io.resilienceproxy.eventlog;

import io.resilienceproxy.exchange.Ending;
import io.resilienceproxy.exchange.Reason;
import io.resilienceproxy.policy.Logging;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One line per exchange, as far as the policy asks for it, under the logger {@code access}. Thread-safe. */
final class AccessLog {

    static final String LOGGER = "access";

    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);
    private static final String LINE =
            "upstream={} route={} status={} outcome={} reason={} attempts={} endpoint={} duration_ms={}";

    private volatile Logging.Access selected;

    AccessLog(Logging.Access selected) {
        this.selected = selected;
    }

    void select(Logging.Access access) {
        selected = access;
    }

    void onEnded(
            String upstream,
            String route,
            Ending ending,
            @Nullable Reason reason,
            int status,
            int attempts,
            @Nullable String endpoint,
            long durationNanos) {
        Logging.Access access = selected;
        boolean good = ending == Ending.RESPONSE && status >= 200 && status < 300;
        if (access == Logging.Access.ALL || access == Logging.Access.ERRORS && !good) {
            LOG.info(
                    LINE,
                    upstream,
                    route,
                    status,
                    ending.token(),
                    reason == null ? "-" : reason.token(),
                    attempts,
                    endpoint == null ? "-" : endpoint,
                    TimeUnit.NANOSECONDS.toMillis(durationNanos));
        }
    }

    /** A request that never became an exchange: it has no upstream, and no duration worth telling. */
    void onRefused(Reason reason) {
        if (selected != Logging.Access.OFF) {
            LOG.info(LINE, "-", "-", reason.status(), Ending.NOT_SENT.token(), reason.token(), 0, "-", 0);
        }
    }
}
