package io.resilienceproxy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizesTest {

    private final Sizes sizes = new Sizes(0, 16 * Sizes.MIB);

    @ParameterizedTest
    @CsvSource({"0B, 0", "512B, 512", "64KiB, 65536", "16MiB, 16777216"})
    void readsAWholeNumberWithAUnit(String text, int bytes) throws Exception {
        assertThat(sizes.parse(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"65536", "64K", "64KB", "64kib", "64 KiB", "0.5MiB", "-1B", "064KiB", "", "KiB"})
    void refusesAnyOtherSpelling(String text) {
        assertThatThrownBy(() -> sizes.parse(text)).hasMessage("a size with a unit, such as 512B, 64KiB, 16MiB");
    }

    @ParameterizedTest
    @ValueSource(strings = {"17MiB", "16777217B", "1GiB", "4294967296B", "999999999GiB", "99999999999999999999GiB"})
    void refusesWhatIsOutOfRange(String text) {
        assertThatThrownBy(() -> sizes.parse(text)).hasMessage("0B to 16MiB");
    }
}
