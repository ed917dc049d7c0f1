package io.resilienceproxy.fallback;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.resilienceproxy.http.RequestHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a request that its answer depended on (RFC 9111 section 4.1), with their values. Immutable; thread-safe.
 *
 * @param names lower case
 * @param values of the request that was answered, in one text
 */
record Variation(List<String> names, String values) {

    /** A response that varies by more than this is not kept. */
    private static final int MOST_NAMES = 16;

    private static final Variation NONE = new Variation(List.of(), "");

    /** Null: the response varies by what no request can tell, or by too much. */
    static @Nullable Variation of(HttpHeaders response, HttpHeaders request) {
        List<String> names = new ArrayList<>(4);
        for (String line : response.getAll(HttpHeaderNames.VARY)) {
            for (String name : line.split(",")) {
                add(names, name.strip().toLowerCase(Locale.ROOT));
            }
        }
        if (response.contains(HttpHeaderNames.CONTENT_ENCODING)) {
            // Upstreams forget to say so, and a caller that did not ask for the coding could not read the answer.
            add(names, "accept-encoding");
        }
        if (response.contains(HttpHeaderNames.CONTENT_LOCATION) || response.contains(HttpHeaderNames.LOCATION)) {
            // These have been mapped to the name by which the caller addressed the upstream.
            add(names, "host");
        }
        if (names.isEmpty()) {
            return NONE;
        }
        return names.contains("*") || names.size() > MOST_NAMES ? null : new Variation(names, values(names, request));
    }

    private static void add(List<String> names, String name) {
        if (!name.isEmpty() && !names.contains(name)) {
            names.add(name);
        }
    }

    private static String values(List<String> names, HttpHeaders request) {
        StringBuilder values = new StringBuilder(64);
        for (String name : names) {
            AnswerKeys.appendValues(values, name, request);
        }
        return values.toString();
    }

    /** Whether the request is one to which the answer would have been the same. */
    boolean matches(HttpHeaders request) {
        return names.isEmpty() || values(names, request).equals(values);
    }

    /** Whether the request kept one of them from the upstream, whose answer then depended on its absence. */
    boolean endsAtThisHop(RequestHead request) {
        for (String name : names) {
            if (request.fields().contains(name) && !request.forwards(name)) {
                return true;
            }
        }
        return false;
    }

    /** About: two or three bytes for a character of a name, which are shared by no one. */
    int bytes() {
        int bytes = 2 * values.length();
        for (String name : names) {
            bytes += 64 + name.length();
        }
        return bytes;
    }
}
