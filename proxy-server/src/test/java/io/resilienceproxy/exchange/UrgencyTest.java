package io.resilienceproxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.resilienceproxy.policy.Priority;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UrgencyTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "u=0 | HIGH",
                "u=2 | HIGH",
                "u=3 | NORMAL",
                "u=4 | LOW",
                "u=7 | LOW",
                "u=5, i | LOW",
                "i, u=1 | HIGH",
                "  i ,u=1;x=2 | HIGH",
                "u=7, u=1 | HIGH",
            })
    void theUrgencyThatARequestNamesCounts(String value, Priority priority) {
        for (Priority ofRoute : Priority.values()) {
            assertThat(Urgency.of(new DefaultHttpHeaders().add("priority", value), ofRoute))
                    .isEqualTo(priority);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''", "i", "u", "u=", "u=8", "u=-1", "u=10", "u=1.0", "u = 1", "U=1", "u=a", "xu=1", "u=\"1\"", ",,"
            })
    void whatIsNoneLeavesItToTheRoute(String value) {
        HttpHeaders fields = new DefaultHttpHeaders().add("Priority", value);

        assertThat(Urgency.of(fields, Priority.LOW)).isEqualTo(Priority.LOW);
        assertThat(Urgency.of(fields, Priority.HIGH)).isEqualTo(Priority.HIGH);
    }

    @Test
    void severalLinesAreOneList() {
        HttpHeaders fields = new DefaultHttpHeaders().add("Priority", "u=7").add("PRIORITY", "u=0");

        assertThat(Urgency.of(fields, Priority.NORMAL)).isEqualTo(Priority.HIGH);
        assertThat(Urgency.of(new DefaultHttpHeaders(), Priority.LOW)).isEqualTo(Priority.LOW);
    }
}
