package io.resilienceproxy.http;

import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;

/** Reads Retry-After (RFC 9110 section 10.2.3). */
public final class RetryAfter {

    /** The field is absent or says nothing that can be understood. */
    public static final long NONE = -1;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** Longer than any deadline: what is larger is as good as this. */
    private static final long MAX_SECONDS = 999_999_999L;

    private RetryAfter() {}

    /**
     * How long to wait.
     *
     * @param now wall time, which a date is compared to
     * @return nanoseconds, of whole seconds, a date rounded up; 0 for a date that has passed, or {@link #NONE}; two field lines contradict and count as none
     */
    public static long nanos(HttpHeaders fields, Instant now) {
        List<String> values = FieldLines.of(fields, HttpHeaderNames.RETRY_AFTER);
        if (values.size() != 1 || values.get(0).isEmpty()) {
            return NONE;
        }
        String value = values.get(0);
        return Character.isLetter(value.charAt(0)) ? untilDate(value, now) : seconds(value);
    }

    private static long untilDate(String value, Instant now) {
        Date date = DateFormatter.parseHttpDate(value);
        if (date == null) {
            return NONE;
        }
        Duration wait = Duration.between(now, date.toInstant());
        long seconds = wait.plusNanos(NANOS_PER_SECOND - 1).toSeconds();
        return Math.min(Math.max(0, seconds), MAX_SECONDS) * NANOS_PER_SECOND;
    }

    private static long seconds(String value) {
        long seconds = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < '0' || c > '9') {
                return NONE;
            }
            seconds = Math.min(seconds * 10 + c - '0', MAX_SECONDS);
        }
        return seconds * NANOS_PER_SECOND;
    }
}
