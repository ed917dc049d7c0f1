package io.resilienceproxy.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells when a policy file has another content, within two seconds, however it got there: written in place, renamed,
 * deleted and made again, or swapped behind a chain of links as the kubelet does it.
 *
 * <p>It reads the file four times a second and compares contents; file system events would be sooner by less than it waits
 * anyway, name neither the file nor every way to change it, and take a thread. A file that is being written must not pass
 * for a whole one, since a policy that is cut off between two upstreams can be a valid policy: a new content counts when
 * it has been the same for {@link #SETTLED_LOOKS} further looks. Behind another link one look is enough, because nobody
 * writes there any more.
 *
 * <p>Everything happens on the scheduler's thread, one look after the other.
 */
public final class PolicyWatcher {

    private static final Logger LOG = LoggerFactory.getLogger(PolicyWatcher.class);

    /** Between two looks. */
    static final Duration INTERVAL = Duration.ofMillis(250);

    /** Longer than a second in all, for those who write one part, and the other a second later. */
    static final int SETTLED_LOOKS = 5;

    /** Between two attempts at a content that could not be used for a reason that may pass: five seconds. */
    static final int LOOKS_BEFORE_RETRY = 20;

    private final Path file;
    private final ScheduledExecutorService scheduler;
    private final Predicate<PolicySource> onChange;
    private PolicySource reported;
    private @Nullable PolicySource seen;
    private int looksAlike;
    private int looksBeforeRetry;

    /**
     * @param reported what is in use, or was refused: no news
     * @param scheduler with one thread, which may block; its owner ends it
     * @param onChange told what is new, on that thread; false: it could not be used, for a reason that may pass, and is to
     *     be told again
     */
    public PolicyWatcher(PolicySource reported, ScheduledExecutorService scheduler, Predicate<PolicySource> onChange) {
        this.file = reported.file();
        this.reported = reported;
        this.scheduler = scheduler;
        this.onChange = onChange;
    }

    /** Looks from now on until the scheduler ends. */
    public void start() {
        scheduler.scheduleWithFixedDelay(
                guarded(this::look), INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Somebody says that the file is ready: reads and reports it at once, also if it is what is in use. */
    public void readNow() {
        scheduler.execute(guarded(() -> report(PolicySource.read(file))));
    }

    /** A look that fails must not be the last one. */
    private Runnable guarded(Runnable look) {
        return () -> {
            try {
                look.run();
            } catch (RuntimeException e) {
                LOG.error("policy: file={} the look at it failed", file, e);
            }
        };
    }

    void look() {
        PolicySource now = PolicySource.read(file);
        if (now.isSameAs(reported)) {
            // Back where it was before anyone was told, or the same content behind another link.
            reported = now;
            seen = null;
            if (looksBeforeRetry > 0 && --looksBeforeRetry == 0) {
                report(now);
            }
        } else if (seen == null || !now.isSameAs(seen)) {
            seen = now;
            looksAlike = 0;
        } else if (++looksAlike >= (now.isSwappedFor(reported) ? 1 : SETTLED_LOOKS)) {
            report(now);
        }
    }

    private void report(PolicySource source) {
        reported = source;
        seen = null;
        looksBeforeRetry = onChange.test(source) ? 0 : LOOKS_BEFORE_RETRY;
    }
}
