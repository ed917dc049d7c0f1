package io.resilienceproxy.health;

import io.resilienceproxy.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The last probe of one upstream, made anew when somebody asks and it is older than its time to live. However many ask at
 * once, there is one probe on its way (single flight), and they all get its outcome.
 *
 * <p>Thread-safe; nobody waits for a lock or a probe.
 */
public final class HealthCheck {

    /** Makes a probe. */
    @FunctionalInterface
    public interface Prober {
        /** @param done told once, on any thread, in bounded time */
        void probe(Consumer<ProbeResult> done);
    }

    private final Prober prober;
    private final long ttlNanos;
    private final Clock clock;
    private final AtomicReference<@Nullable CompletableFuture<ProbeResult>> latest = new AtomicReference<>();
    private volatile @Nullable ProbeResult last;

    /** @param ttl how long an outcome stands, counted from the end of its probe */
    public HealthCheck(Prober prober, Duration ttl, Clock clock) {
        this.prober = prober;
        this.ttlNanos = ttl.toNanos();
        this.clock = clock;
    }

    /** The outcome that stands, or that of the probe on its way. */
    public CompletionStage<ProbeResult> ask() {
        while (true) {
            CompletableFuture<ProbeResult> present = latest.get();
            if (present != null && (!present.isDone() || stands())) {
                return present;
            }
            CompletableFuture<ProbeResult> next = new CompletableFuture<>();
            if (latest.compareAndSet(present, next)) {
                start(next);
                return next;
            }
        }
    }

    private boolean stands() {
        ProbeResult result = last;
        return result != null && clock.nanoTime() - result.finishedNanos() < ttlNanos;
    }

    private void start(CompletableFuture<ProbeResult> next) {
        long start = clock.nanoTime();
        try {
            prober.probe(result -> finish(next, result));
        } catch (RejectedExecutionException stopping) {
            finish(next, new ProbeResult(0, "stopping", start, 0));
        }
    }

    private void finish(CompletableFuture<ProbeResult> probe, ProbeResult result) {
        // First what everyone may read, then those who wait: nobody who is told may find an older one.
        last = result;
        probe.complete(result);
    }

    /** The outcome of the last probe that has ended, whatever its age; null before. */
    public @Nullable ProbeResult last() {
        return last;
    }
}
