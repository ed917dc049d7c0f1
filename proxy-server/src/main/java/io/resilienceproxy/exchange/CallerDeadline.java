package io.resilienceproxy.exchange;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.List;

/**
 * Reads the deadline that a caller sends: the milliseconds that remain, as one decimal number (rules: header). It can
 * shorten what the policy allows, never lengthen it.
 */
final class CallerDeadline {

    /** The field is absent. */
    static final long ABSENT = -1;

    /** It is there and is not one whole number: several lines, a sign other than minus, a fraction, letters. */
    static final long MALFORMED = -2;

    private static final long MAX_MILLIS = 1_000_000_000_000L;

    private CallerDeadline() {}

    /** Milliseconds from 0, which also stands for less than 0; {@link #ABSENT}; or {@link #MALFORMED}. */
    static long read(HttpHeaders fields, AsciiString name) {
        if (!fields.contains(name)) {
            return ABSENT;
        }
        List<String> values = fields.getAll(name);
        return values.size() == 1 ? parse(values.get(0)) : MALFORMED;
    }

    private static long parse(String value) {
        boolean negative = value.startsWith("-");
        int start = negative ? 1 : 0;
        if (start == value.length()) {
            return MALFORMED;
        }
        long millis = 0;
        for (int i = start; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < '0' || c > '9') {
                return MALFORMED;
            }
            millis = Math.min(millis * 10 + c - '0', MAX_MILLIS);
        }
        return negative ? 0 : millis;
    }
}
