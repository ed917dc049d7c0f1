package io.resilienceproxy.config;

import io.resilienceproxy.files.FileWatcher;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Predicate;

/** Tells when a policy file has another content; {@link FileWatcher} says how. */
public final class PolicyWatcher {

    private final FileWatcher<PolicySource> watcher;

    /**
     * @param reported what is in use, or was refused: no news
     * @param scheduler with one thread, which may block; its owner ends it
     * @param onChange told what is new, on that thread; false: it could not be used, for a reason that may pass, and is to
     *     be told again
     */
    public PolicyWatcher(PolicySource reported, ScheduledExecutorService scheduler, Predicate<PolicySource> onChange) {
        this.watcher = new FileWatcher<>(
                "policy: file=" + reported.file(),
                reported,
                () -> PolicySource.read(reported.file()),
                scheduler,
                onChange);
    }

    /** Looks from now on until the scheduler ends. */
    public void start() {
        watcher.start();
    }

    /** Somebody says that the file is ready: reads and reports it at once, also if it is what is in use. */
    public void readNow() {
        watcher.readNow();
    }

    void look() {
        watcher.look();
    }
}
