package io.resilienceproxy.listener;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HttpDateTest {

    /** The library's way, which the running proxy avoids. */
    private static final DateTimeFormatter EXPECTED =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US);

    @Test
    void isInThePreferredFormForAnySecondOfFourDigitYears() {
        long lastSecond = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();
        Random random = new Random(1);
        for (int i = 0; i < 2000; i++) {
            long second = i == 0 ? 0 : i == 1 ? lastSecond : (long) (random.nextDouble() * lastSecond);

            HttpDate date = HttpDate.of(second);

            assertThat(date.text().toString())
                    .isEqualTo(EXPECTED.format(Instant.ofEpochSecond(second).atOffset(ZoneOffset.UTC)));
            assertThat(date.epochSecond()).isEqualTo(second);
        }
    }
}
