package io.resilienceproxy.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.resilienceproxy.time.Clock;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The loop's time and the timer's are one, and move only here. */
class LazyTimerTest {

    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedChannel channel =
            EmbeddedChannel.builder().ticker(ticker).build();
    private final Clock clock = new Clock() {
        @Override
        public long nanoTime() {
            return ticker.nanoTime();
        }

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }
    };
    private int fired;
    private Runnable onDue = () -> {};
    private final LazyTimer timer = new LazyTimer(channel.eventLoop(), clock, () -> {
        fired++;
        onDue.run();
    });

    @AfterEach
    void close() {
        timer.close();
        channel.finishAndReleaseAll();
    }

    private void armIn(long seconds) {
        timer.arm(clock.nanoTime() + TimeUnit.SECONDS.toNanos(seconds));
    }

    private void pass(long seconds) {
        ticker.advance(seconds, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
    }

    /** Whether the loop holds a task for this timer. */
    private boolean isScheduled() {
        return channel.runScheduledPendingTasks() >= 0;
    }

    @Test
    void firesOnceWhenItsTimeHasCome() {
        armIn(2);
        pass(1);
        assertThat(fired).isZero();
        pass(1);
        assertThat(fired).isEqualTo(1);
        pass(10);
        assertThat(fired).isEqualTo(1);
        assertThat(isScheduled()).isFalse();
    }

    @Test
    void firesAtTheTimeThatWasSetLast() {
        armIn(2);
        pass(1);
        armIn(3);
        pass(2);
        assertThat(fired).isZero();
        pass(1);
        assertThat(fired).isEqualTo(1);
    }

    @Test
    void canBeMovedForward() {
        armIn(10);
        armIn(1);
        pass(1);
        assertThat(fired).isEqualTo(1);
        assertThat(isScheduled()).isFalse();
    }

    @Test
    void schedulesNothingAnewWhenItIsMovedBack() {
        armIn(1);
        for (int i = 0; i < 1000; i++) {
            armIn(5 + i);
        }
        // One task, at the first time, which goes back to sleep once.
        ticker.advance(1, TimeUnit.SECONDS);
        assertThat(channel.runScheduledPendingTasks()).isEqualTo(TimeUnit.SECONDS.toNanos(1003));
        assertThat(fired).isZero();
    }

    @Test
    void doesNotFireWhenDisarmed() {
        armIn(1);
        timer.disarm();
        pass(2);
        assertThat(fired).isZero();
        assertThat(isScheduled()).isFalse();
        armIn(1);
        pass(1);
        assertThat(fired).isEqualTo(1);
    }

    @Test
    void firesWhenItIsArmedAgainWhileItsOldTaskSleeps() {
        armIn(2);
        timer.disarm();
        pass(1);
        armIn(1);
        pass(1);
        assertThat(fired).isEqualTo(1);
    }

    @Test
    void firesForATimeThatHasPassed() {
        armIn(-1);
        pass(0);
        assertThat(fired).isEqualTo(1);
    }

    @Test
    void canBeArmedFromWhatItRuns() {
        onDue = () -> {
            if (fired < 3) {
                armIn(1);
            }
        };
        armIn(1);
        for (int i = 1; i <= 5; i++) {
            pass(1);
            assertThat(fired).isEqualTo(Math.min(i, 3));
        }
    }

    @Test
    void leavesNothingOnTheLoopOnceClosed() {
        armIn(1);
        timer.close();
        assertThat(isScheduled()).isFalse();
        pass(2);
        assertThat(fired).isZero();
    }
}
