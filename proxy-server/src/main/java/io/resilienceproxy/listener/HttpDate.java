package io.resilienceproxy.listener;

import io.netty.util.AsciiString;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * One second in the preferred form of RFC 9110 section 5.6.7. Written by hand: whatever knows locales or calendars loads
 * some thousand objects with the first answer of the proxy's own, in the middle of a failure.
 */
record HttpDate(long epochSecond, AsciiString text) {

    private static final String DAYS = "MonTueWedThuFriSatSun";
    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
    private static final int NAME_LENGTH = 3;

    static HttpDate of(long epochSecond) {
        LocalDateTime time = LocalDateTime.ofEpochSecond(epochSecond, 0, ZoneOffset.UTC);
        StringBuilder text = new StringBuilder("Thu, 01 Jan 1970 00:00:00 GMT".length())
                .append(name(DAYS, time.getDayOfWeek().getValue()))
                .append(", ");
        twoDigits(text, time.getDayOfMonth()).append(' ');
        text.append(name(MONTHS, time.getMonthValue())).append(' ');
        twoDigits(text, time.getYear() / 100);
        twoDigits(text, time.getYear() % 100).append(' ');
        twoDigits(text, time.getHour()).append(':');
        twoDigits(text, time.getMinute()).append(':');
        twoDigits(text, time.getSecond()).append(" GMT");
        return new HttpDate(epochSecond, new AsciiString(text));
    }

    private static String name(String names, int fromOne) {
        int start = (fromOne - 1) * NAME_LENGTH;
        return names.substring(start, start + NAME_LENGTH);
    }

    private static StringBuilder twoDigits(StringBuilder text, int number) {
        return text.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
    }
}
