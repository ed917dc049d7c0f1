package io.resilienceproxy.http;

import io.netty.util.AsciiString;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Field names that most messages carry, as objects that exist already: a decoder that finds one here allocates neither the
 * name nor its bytes. Exact in case, because names go on as they came; each is here as RFCs write it and in lower case.
 */
final class FieldNames {

    private static final String[] COMMON = {
        "Accept",
        "Accept-Charset",
        "Accept-Encoding",
        "Accept-Language",
        "Accept-Ranges",
        "Age",
        "Authorization",
        "Cache-Control",
        "Connection",
        "Content-Encoding",
        "Content-Language",
        "Content-Length",
        "Content-Type",
        "Cookie",
        "Date",
        "ETag",
        "Expires",
        "Forwarded",
        "Host",
        "Idempotency-Key",
        "If-Modified-Since",
        "If-None-Match",
        "Keep-Alive",
        "Last-Modified",
        "Location",
        "Origin",
        "Pragma",
        "Referer",
        "Retry-After",
        "Server",
        "Set-Cookie",
        "Strict-Transport-Security",
        "Traceparent",
        "Tracestate",
        "Transfer-Encoding",
        "User-Agent",
        "Vary",
        "Via",
        "X-B3-SpanId",
        "X-B3-TraceId",
        "X-Correlation-ID",
        "X-Content-Type-Options",
        "X-Forwarded-For",
        "X-Forwarded-Proto",
        "X-Frame-Options",
        "X-Request-Deadline-Ms",
        "X-Request-ID",
        "X-Request-Id"
    };

    /** A power of two, several times the number of names: few probes, and an end to each of them. */
    private static final int SLOTS = 512;

    private static final @Nullable AsciiString[] TABLE = table();

    private FieldNames() {}

    private static @Nullable AsciiString[] table() {
        @Nullable AsciiString[] table = new AsciiString[SLOTS];
        for (String name : COMMON) {
            put(table, name);
            put(table, name.toLowerCase(Locale.ROOT));
        }
        return table;
    }

    private static void put(@Nullable AsciiString[] table, String text) {
        AsciiString name = new AsciiString(text);
        // Computed once, here: fields are kept by it.
        name.hashCode();
        int slot = slot(name.array(), 0, name.length());
        while (table[slot] != null && !name.equals(table[slot])) {
            slot = slot + 1 & SLOTS - 1;
        }
        table[slot] = name;
    }

    private static int slot(byte[] bytes, int start, int length) {
        int end = start + length - 1;
        int hash = length * 31 + bytes[start];
        hash = hash * 31 + bytes[start + (length >> 1)];
        hash = hash * 31 + bytes[end];
        return (hash ^ hash >>> 7) & SLOTS - 1;
    }

    /** The name that stands there, or null where it is none of the common ones. */
    static @Nullable AsciiString common(byte[] line, int start, int length) {
        if (length == 0) {
            return null;
        }
        int slot = slot(line, start, length);
        AsciiString name;
        while ((name = TABLE[slot]) != null) {
            if (name.length() == length && matches(name.array(), line, start, length)) {
                return name;
            }
            slot = slot + 1 & SLOTS - 1;
        }
        return null;
    }

    private static boolean matches(byte[] name, byte[] line, int start, int length) {
        for (int i = 0; i < length; i++) {
            if (name[i] != line[start + i]) {
                return false;
            }
        }
        return true;
    }
}
