package io.resilienceproxy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

    @ParameterizedTest
    @CsvSource({"1ms, 1", "500ms, 500", "2s, 2000", "1m, 60000", "90m, 5400000", "6h, 21600000", "24h, 86400000"})
    void readsAWholeNumberWithAUnit(String text, long millis) throws Exception {
        assertThat(Durations.positive().parse(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "500", "0", "-1s", "+1s", "1.5s", "PT2S", "5 s", "5S", "5sec", "5M", "5H", "5MS", "1us", "1ns", "1d",
                "1m30s", "05s", "s", "", " 5s", "5s ", "1_0s", "1e3ms", "٥s"
            })
    void refusesAnyOtherSpelling(String text) {
        assertThatThrownBy(() -> Durations.orZero().parse(text))
                .isInstanceOf(Type.Mismatch.class)
                .hasMessage("a duration with a unit, such as 500ms, 2s, 5m");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0ms",
                "25h",
                "999999h",
                "86400001ms",
                "9999999999h",
                "9223372036854775807s",
                "99999999999999999999ms"
            })
    void refusesWhatIsOutOfRange(String text) {
        assertThatThrownBy(() -> Durations.positive().parse(text))
                .isInstanceOf(Type.Mismatch.class)
                .hasMessage("1ms to 24h");
    }

    @Test
    void takesZeroWithAUnitWhereNothingIsAChoice() throws Exception {
        assertThat(Durations.orZero().parse("0s")).isEqualTo(Duration.ZERO);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0ms", "1ms", "1500ms", "2s", "60s", "90s", "2m", "60m", "90m", "2h", "24h"})
    void showsADurationAsItIsWritten(String text) throws Exception {
        assertThat(Durations.written(Durations.orZero().parse(text))).isEqualTo(text);
    }
}
