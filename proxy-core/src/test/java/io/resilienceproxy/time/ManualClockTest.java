package io.resilienceproxy.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ManualClockTest {

    private final ManualClock clock = new ManualClock();

    @Test
    void passesTimeOnBothClocksAlsoAcrossTheOverflow() {
        long before = clock.nanoTime();
        Instant wallBefore = clock.now();
        clock.advance(Duration.ofHours(2));
        clock.advanceNanos(1);
        assertThat(clock.nanoTime()).isNegative();
        assertThat(clock.nanoTime() - before).isEqualTo(Duration.ofHours(2).toNanos() + 1);
        assertThat(clock.now()).isEqualTo(wallBefore.plus(Duration.ofHours(2)).plusNanos(1));
    }

    @Test
    void passesNoTimeWhenTheWallClockIsSet() {
        long before = clock.nanoTime();
        Instant wallBefore = clock.now();
        clock.stepWall(Duration.ofHours(-1));
        assertThat(clock.nanoTime()).isEqualTo(before);
        assertThat(clock.now()).isEqualTo(wallBefore.minus(Duration.ofHours(1)));
    }

    @Test
    void systemClockNeverGoesBack() {
        long first = Clock.SYSTEM.nanoTime();
        assertThat(Clock.SYSTEM.nanoTime() - first).isNotNegative();
        assertThat(Clock.SYSTEM.now()).isAfter(Instant.parse("2020-01-01T00:00:00Z"));
    }
}
