package io.resilienceproxy.eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LineLayoutTest {

    private final LoggerContext context = new LoggerContext();
    private final LineLayout layout = new LineLayout();

    @AfterEach
    void stop() {
        context.stop();
    }

    @ParameterizedTest
    @CsvSource(
            ignoreLeadingAndTrailingWhitespace = false,
            delimiter = ';',
            value = {
                "plain;plain",
                "a  b\tc;a  b\tc",
                "a\\nb;a | b",
                "a \\r\\n \\t b;a | b",
                "a\\n\\n\\nb;a | b",
                "\\na; | a",
                "a\\n ;a",
                "a \\t;a",
                " a; a",
                "'';''",
                "\\r\\n;''",
                "a\\rb;a | b"
            })
    void makesOneLineOfWhateverAMessageSays(String message, String line) {
        String unescaped = message.replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t");
        assertThat(layout.doLayout(event("a.b.C", Level.INFO, unescaped, null, 0)))
                .isEqualTo("1970-01-01T00:00:00.000Z INFO  C " + line + System.lineSeparator());
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1970-01-01T00:00:00.000Z",
        "-1, 1969-12-31T23:59:59.999Z",
        "951827696007, 2000-02-29T12:34:56.007Z",
        "1796083199999, 2026-11-30T23:59:59.999Z"
    })
    void tellsTheTimeInUtcToTheMillisecond(long epochMillis, String time) {
        assertThat(layout.doLayout(event("C", Level.ERROR, "m", null, epochMillis)))
                .isEqualTo(time + " ERROR C m" + System.lineSeparator());
    }

    @Test
    void putsTheStackTraceOnTheSameLineWithItsCauses() {
        Exception failure = new IllegalStateException("first\nline", new RuntimeException("why"));

        String line = layout.doLayout(event("C", Level.WARN, "m", failure, 0));

        assertThat(line)
                .startsWith("1970-01-01T00:00:00.000Z WARN  C m | java.lang.IllegalStateException: first | line | at ")
                .contains(" | Caused by: java.lang.RuntimeException: why | ")
                .endsWith(System.lineSeparator());
        assertThat(line.strip()).doesNotContain("\n").doesNotContain("\r").doesNotContain("\t");
    }

    private LoggingEvent event(String logger, Level level, String message, Throwable thrown, long millis) {
        LoggingEvent event =
                new LoggingEvent(getClass().getName(), context.getLogger(logger), level, message, thrown, null);
        event.setTimeStamp(millis);
        return event;
    }
}
