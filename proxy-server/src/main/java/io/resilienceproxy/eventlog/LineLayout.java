package io.resilienceproxy.eventlog;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * One event as one line: time in UTC, level, the logger's last name, message and stack trace.
 *
 * <p>A line break, with the white space around it, becomes {@code " | "}, so that what a peer sent can never pass for a
 * line of its own. By hand: a pattern of Logback's takes some 250 classes, a good part of the start.
 */
final class LineLayout extends LayoutBase<ILoggingEvent> {

    private static final String BREAK = " | ";
    private static final int LEVEL_WIDTH = 5;
    private static final int USUAL_LENGTH = 160;
    private static final int MILLIS_PER_SECOND = 1000;
    private static final int NANOS_PER_MILLI = 1_000_000;

    @Override
    public String doLayout(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(USUAL_LENGTH);
        appendTime(line, event.getTimeStamp());
        String level = event.getLevel().toString();
        line.append(' ').append(level);
        line.append(" ".repeat(Math.max(0, LEVEL_WIDTH - level.length()))).append(' ');
        String logger = event.getLoggerName();
        line.append(logger, logger.lastIndexOf('.') + 1, logger.length()).append(' ');
        appendFlat(line, event.getFormattedMessage());
        IThrowableProxy thrown = event.getThrowableProxy();
        if (thrown != null) {
            line.append(BREAK);
            appendFlat(line, ThrowableProxyUtil.asString(thrown));
        }
        return line.append(System.lineSeparator()).toString();
    }

    private static void appendTime(StringBuilder line, long epochMillis) {
        LocalDateTime time = LocalDateTime.ofEpochSecond(
                Math.floorDiv(epochMillis, MILLIS_PER_SECOND),
                Math.floorMod(epochMillis, MILLIS_PER_SECOND) * NANOS_PER_MILLI,
                ZoneOffset.UTC);
        appendPadded(line, time.getYear(), 4).append('-');
        appendPadded(line, time.getMonthValue(), 2).append('-');
        appendPadded(line, time.getDayOfMonth(), 2).append('T');
        appendPadded(line, time.getHour(), 2).append(':');
        appendPadded(line, time.getMinute(), 2).append(':');
        appendPadded(line, time.getSecond(), 2).append('.');
        appendPadded(line, time.getNano() / NANOS_PER_MILLI, 3).append('Z');
    }

    private static StringBuilder appendPadded(StringBuilder line, int number, int width) {
        String digits = Integer.toString(number);
        return line.append("0".repeat(Math.max(0, width - digits.length()))).append(digits);
    }

    /** The text without white space at its end, and with each break of lines, and the white space around it, replaced. */
    private static void appendFlat(StringBuilder line, String text) {
        int end = text.length();
        while (end > 0 && isSpace(text.charAt(end - 1))) {
            end--;
        }
        int next = 0;
        while (next < end) {
            int gapEnd = next;
            boolean breaks = false;
            while (isSpace(text.charAt(gapEnd))) {
                breaks |= text.charAt(gapEnd) == '\n' || text.charAt(gapEnd) == '\r';
                gapEnd++;
            }
            if (breaks) {
                line.append(BREAK);
            } else {
                line.append(text, next, gapEnd);
            }
            line.append(text.charAt(gapEnd));
            next = gapEnd + 1;
        }
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c >= '\t' && c <= '\r';
    }
}
