package io.resilienceproxy.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {

    private static final Instant NOW = Instant.parse("2027-11-07T08:49:35Z");

    private static long nanos(String... values) {
        return nanos(NOW, values);
    }

    private static long nanos(Instant now, String... values) {
        HttpHeaders fields = new DefaultHttpHeaders();
        for (String value : values) {
            fields.add("Retry-After", value);
        }
        return RetryAfter.nanos(fields, now);
    }

    @ParameterizedTest
    @CsvSource({"2, 2", "0, 0", "007, 7", "3600, 3600", "99999999999999999999, 999999999"})
    void readsSeconds(String value, long seconds) {
        assertThat(nanos(value)).isEqualTo(Duration.ofSeconds(seconds).toNanos());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sun, 07 Nov 2027 08:49:37 GMT",
                "Sunday, 07-Nov-27 08:49:37 GMT",
                "Sun Nov  7 08:49:37 2027",
                "Mon, 07 Nov 2027 08:49:37 GMT"
            })
    void readsADateInEachOfItsFormsWhateverItsWeekday(String value) {
        assertThat(nanos(value)).isEqualTo(Duration.ofSeconds(2).toNanos());
    }

    @Test
    void neverWaitsLessThanToTheDate() {
        assertThat(nanos(NOW.plusMillis(1), "Sun, 07 Nov 2027 08:49:37 GMT"))
                .isEqualTo(Duration.ofSeconds(2).toNanos());
        assertThat(nanos(NOW.plusMillis(999), "Sun, 07 Nov 2027 08:49:37 GMT"))
                .isEqualTo(Duration.ofSeconds(2).toNanos());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sun, 07 Nov 2027 08:49:35 GMT",
                "Sun, 06 Nov 1994 08:49:37 GMT",
                "Sunday, 06-Nov-94 08:49:37 GMT"
            })
    void doesNotWaitForADateThatHasPassed(String value) {
        assertThat(nanos(value)).isZero();
    }

    @Test
    void takesTheLastPossibleDateForLongerThanAnyDeadline() {
        assertThat(nanos("Fri, 31 Dec 9999 23:59:59 GMT"))
                .isEqualTo(Duration.ofSeconds(999_999_999).toNanos());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-1",
                "+2",
                "1.5",
                "2 ",
                "2s",
                "0x2",
                "1e3",
                "2, 3",
                "\u0662",
                "soon",
                "Sun, 07 Nov 2027",
                "Sun, 32 Nov 2027 08:49:37 GMT",
                "Sun, 07 Nov 2027 25:49:37 GMT"
            })
    void understandsNothingElse(String value) {
        assertThat(nanos(value)).isEqualTo(RetryAfter.NONE);
    }

    @Test
    void takesNeitherOfTwoForTheTruth() {
        assertThat(nanos("2", "3")).isEqualTo(RetryAfter.NONE);
        assertThat(nanos()).isEqualTo(RetryAfter.NONE);
    }
}
