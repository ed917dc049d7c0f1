package io.resilienceproxy.files;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells when files have another content, within two seconds, however it got there: written in place, renamed, deleted and
 * made again, or swapped behind a chain of links as the kubelet does it.
 *
 * <p>It reads the files four times a second and compares contents; file system events would be sooner by less than it waits
 * anyway, name neither the file nor every way to change it, and take a thread. A file that is being written must not pass
 * for a whole one, since a policy that is cut off between two upstreams can be a valid policy: a new content counts when
 * it has been the same for {@link #SETTLED_LOOKS} further looks. Behind another link one look is enough, because nobody
 * writes there any more.
 *
 * <p>Everything happens on the scheduler's thread, one look after the other.
 */
public final class FileWatcher<S extends Snapshot<S>> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(FileWatcher.class);

    /** Between two looks. */
    static final Duration INTERVAL = Duration.ofMillis(250);

    /** Longer than a second in all, for those who write one part, and the other a second later. */
    public static final int SETTLED_LOOKS = 5;

    /** Between two attempts at a content that could not be used for a reason that may pass: five seconds. */
    public static final int LOOKS_BEFORE_RETRY = 20;

    private final String what;
    private final Supplier<S> read;
    private final ScheduledExecutorService scheduler;
    private final Predicate<S> onChange;
    private volatile @Nullable Future<?> looking;
    private S reported;
    private @Nullable S seen;
    private int looksAlike;
    private int looksBeforeRetry;

    /**
     * @param what is watched, for the log
     * @param reported what is in use, or was refused: no news
     * @param read takes a look, blocking
     * @param scheduler with one thread, which may block; its owner ends it
     * @param onChange told what is new, on that thread; false: it could not be used, for a reason that may pass, and is to
     *     be told again
     */
    public FileWatcher(
            String what, S reported, Supplier<S> read, ScheduledExecutorService scheduler, Predicate<S> onChange) {
        this.what = what;
        this.reported = reported;
        this.read = read;
        this.scheduler = scheduler;
        this.onChange = onChange;
    }

    /** Looks from now on until it is closed or the scheduler ends. */
    public void start() {
        looking = scheduler.scheduleWithFixedDelay(
                guarded(this::look), INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Looks no more; on any thread. */
    @Override
    public void close() {
        Future<?> present = looking;
        if (present != null) {
            present.cancel(false);
        }
    }

    /** Somebody says that the files are ready: reads and reports them at once, also if it is what is in use. */
    public void readNow() {
        scheduler.execute(guarded(() -> report(read.get())));
    }

    /** A look that fails must not be the last one. */
    private Runnable guarded(Runnable look) {
        return () -> {
            try {
                look.run();
            } catch (RuntimeException | Error e) {
                LOG.error("{}: the look at it failed", what, e);
            }
        };
    }

    /** One look; on the scheduler's thread, or by hand where none is started. */
    public void look() {
        S now = read.get();
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

    private void report(S source) {
        reported = source;
        seen = null;
        // Before it is told: where that ends in an exception, it is not in use either.
        looksBeforeRetry = LOOKS_BEFORE_RETRY;
        if (onChange.test(source)) {
            looksBeforeRetry = 0;
        }
    }
}
