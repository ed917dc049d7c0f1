package io.resilienceproxy.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldNamesTest {

    @ParameterizedTest
    @ValueSource(strings = {"Host", "host", "User-Agent", "user-agent", "X-Request-ID", "x-request-id", "ETag", "Via"})
    void findsTheSameObjectEachTimeInTheCaseThatWasSent(String name) {
        AsciiString found = find(name);

        assertThat((Object) found).isNotNull().isSameAs(find(name));
        assertThat(found.toString()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HOST", "hOst", "Hos", "Hostt", "X-Own", "", "\u0000"})
    void leavesOtherNamesAndOtherCasesToTheDecoder(String name) {
        assertThat((Object) find(name)).isNull();
    }

    @Test
    void neverTakesOneNameForAnother() {
        Random random = new Random(7);
        List<String> known = List.of("Content-Type", "accept", "Date", "Set-Cookie", "x-forwarded-for");
        for (int i = 0; i < 20_000; i++) {
            byte[] name = known.get(i % known.size()).getBytes(StandardCharsets.US_ASCII);
            name[random.nextInt(name.length)] = (byte) random.nextInt(-128, 128);
            String text = new String(name, StandardCharsets.ISO_8859_1);

            AsciiString found = FieldNames.common(name, 0, name.length);

            if (found != null) {
                assertThat(found.toString()).isEqualTo(text);
            }
        }
    }

    /** Behind something else in its line, as a decoder finds it. */
    private static AsciiString find(String name) {
        byte[] line = ("xx" + name + ": value").getBytes(StandardCharsets.ISO_8859_1);
        return FieldNames.common(line, 2, name.length());
    }
}
