package io.resilienceproxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.resilience.BreakerState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever happens, in whatever order: everything that was taken is given back, and every caller has one answer. */
class ExchangeConservationTest {

    private static final int STEPS = 4000;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597})
    void givesEverythingBackUnderRandomEvents(long seed) {
        Chaos chaos = new Chaos(seed);
        for (int i = 0; i < STEPS; i++) {
            chaos.step();
        }
        chaos.runOut();
        chaos.assertConserved();
        chaos.assertRecovers();

        chaos.assertConserved();
        chaos.close();
    }

    @Test
    void reachesEveryKindOfEndingAndRetries() {
        Chaos chaos = new Chaos(42);
        for (int i = 0; i < STEPS; i++) {
            chaos.step();
        }
        chaos.runOut();

        for (Ending ending : Ending.values()) {
            assertThat(chaos.listener.endings(ending)).as("%s", ending).isPositive();
        }
        assertThat(chaos.listener.retries()).isPositive();
        assertThat(chaos.transitions).containsKeys(BreakerState.values());
        chaos.close();
    }
}
