package io.resilienceproxy.load;

import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;
import io.resilienceproxy.time.Clock;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the event loop turning while it measures, where it would sleep until the next timer or event. A core that sleeps, of a
 * virtual machine above all, takes longer to wake than a request takes, and that would be counted as latency. With nothing to do,
 * each turn yields the core to the upstream, which shares it. On the event loop.
 */
final class Pace implements SelectStrategy {

    /** A turn with nothing to do takes less, unless another thread had the core. */
    private static final long IDLE_TURN_NANOS = 4_000;

    private final Clock clock;
    private @Nullable LongPredicate sender;
    private boolean idle;
    private long turnedAt;
    private long idleNanos;

    Pace(Clock clock) {
        this.clock = clock;
    }

    /** @param due sends what is due at the time given, and tells whether there was anything */
    void start(LongPredicate due) {
        sender = due;
        turnedAt = clock.nanoTime();
    }

    void stop() {
        sender = null;
    }

    /** How long the core had nothing to do, so far: neither for this process nor for another. */
    long idleNanos() {
        return idleNanos;
    }

    @Override
    public int calculateStrategy(IntSupplier selectNow, boolean hasTasks) throws Exception {
        if (sender == null) {
            return hasTasks ? selectNow.get() : SelectStrategy.SELECT;
        }
        long now = clock.nanoTime();
        if (idle && now - turnedAt < IDLE_TURN_NANOS) {
            idleNanos += now - turnedAt;
        }
        turnedAt = now;
        boolean sent = sender.test(now);
        int ready = selectNow.get();
        idle = !sent && ready == 0;
        if (idle) {
            Thread.yield();
        }
        return ready;
    }
}
