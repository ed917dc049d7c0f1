package io.resilienceproxy.pool;

import io.resilienceproxy.loop.LazyTimer;
import io.resilienceproxy.outcome.FailureKind;
import io.resilienceproxy.outcome.TlsAlert;
import io.resilienceproxy.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One event loop's part of {@code pool.min-idle}: connections that are open before a request asks for them. What is missing is
 * opened in the background, in places that nobody waits for; what fails is tried again behind growing pauses, and is told to
 * no breaker.
 *
 * <p>On that loop.
 */
final class Reserve implements ConnectionSource.Listener {

    /** How long one connection may take to open, its handshake included. */
    static final Duration OPENING = Duration.ofSeconds(10);

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final LoopPool pool;
    private final Clock clock;
    private final LazyTimer nextTry;
    private int opening;
    private int failures;
    private boolean pausing;

    /** The end of the last pause. */
    private long resumedNanos;

    Reserve(LoopPool pool, Clock clock) {
        this.pool = pool;
        this.clock = clock;
        this.nextTry = new LazyTimer(pool.loop(), clock, this::tryAgain);
    }

    /** Opens what is missing, as far as there are places. @param share how many this loop keeps idle */
    void fill(int share) {
        while (!pausing && pool.idle() + opening < share) {
            opening++;
            Pending pending = pool.openForReserve(this);
            if (pending == null) {
                opening--;
                return;
            }
            if (!pending.isDone()) {
                pool.loop().schedule(() -> giveUp(pending), OPENING.toMillis(), TimeUnit.MILLISECONDS);
            }
        }
    }

    private void giveUp(Pending pending) {
        if (!pending.isDone()) {
            onConnectFailed(pending.timeOut(), null);
        }
    }

    @Override
    public void onConnecting() {
        // Told who waited for a place; this never does.
    }

    @Override
    public void onTlsAlert(TlsAlert alert) {
        // The failure that it explains comes next.
    }

    @Override
    public void onConnected(Connection connection) {
        opening--;
        ((Http1Connection) connection).rest();
    }

    @Override
    public void onConnectFailed(FailureKind kind, @Nullable Endpoint last) {
        opening--;
        pause();
    }

    /** One of the idle has been closed. An upstream that ends them as soon as they are open is not asked without a pause. */
    void onLost(Tenure lost) {
        if (lost.isUnused() && clock.nanoTime() - lost.idleSinceNanos() < FIRST_PAUSE.toNanos()) {
            pause();
        }
    }

    /**
     * What fails together counts once, however many were missing. That a connection opens proves nothing, because a balancer
     * without a server accepts and hangs up: the pauses are short again only behind a time without failures.
     */
    private void pause() {
        if (pausing) {
            return;
        }
        if (clock.nanoTime() - resumedNanos > LONGEST_PAUSE.toNanos()) {
            failures = 0;
        }
        long doublings = Math.min(failures, Byte.SIZE);
        failures++;
        pausing = true;
        nextTry.arm(clock.nanoTime() + Math.min(LONGEST_PAUSE.toNanos(), FIRST_PAUSE.toNanos() << doublings));
    }

    private void tryAgain() {
        pausing = false;
        resumedNanos = clock.nanoTime();
        pool.fillReserve();
    }

    void close() {
        nextTry.close();
    }
}
