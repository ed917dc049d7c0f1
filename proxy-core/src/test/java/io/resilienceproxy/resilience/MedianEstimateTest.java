package io.resilienceproxy.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class MedianEstimateTest {

    private final MedianEstimate median = new MedianEstimate();
    private final Random random = new Random(7);

    @Test
    void saysNothingBeforeItHasSeenEnough() {
        for (int i = 0; i < 19; i++) {
            median.record(100);
        }
        assertThat(median.nanos()).isZero();
        median.record(100);
        assertThat(median.nanos()).isEqualTo(100);
    }

    /** A tenth that takes a hundred times as long moves the mean tenfold, and the median hardly. */
    @Test
    void comesToRestAtTheMedianWhateverTheTailIs() {
        for (int i = 0; i < 5000; i++) {
            median.record(random.nextInt(10) == 0 ? 1_000_000 : 8_000 + random.nextInt(4_000));
        }
        assertThat(median.nanos()).isBetween(9_000L, 11_500L);
    }

    @Test
    void followsAnUpstreamThatTurnsSlowOrFast() {
        for (int i = 0; i < 100; i++) {
            median.record(10_000);
        }
        for (int i = 0; i < 60; i++) {
            median.record(20_000);
        }
        assertThat(median.nanos()).isBetween(18_000L, 20_500L);
        for (int i = 0; i < 200; i++) {
            median.record(1_000);
        }
        assertThat(median.nanos()).isBetween(900L, 1_200L);
    }

    @Test
    void neverLeavesZeroDownwards() {
        for (int i = 0; i < 100; i++) {
            median.record(0);
        }
        assertThat(median.nanos()).isZero();
    }
}
