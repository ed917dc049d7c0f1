package io.resilienceproxy.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The Connection field (RFC 9110 section 7.6.1): whether the connection stays, and which fields end at this hop. */
final class ConnectionField {

    private ConnectionField() {}

    /** RFC 9112 section 9.3. */
    static boolean keepAlive(HttpHeaders fields, boolean http11) {
        if (!fields.contains(HttpHeaderNames.CONNECTION)) {
            return http11;
        }
        if (fields.containsValue(HttpHeaderNames.CONNECTION, "close", true)) {
            return false;
        }
        return http11 || fields.containsValue(HttpHeaderNames.CONNECTION, "keep-alive", true);
    }

    /**
     * The fields that a Connection field nominates beyond the well-known ones; usually none. Fields that framing and
     * routing were decided by cannot be nominated away.
     */
    static List<String> nominated(HttpHeaders fields) {
        if (!fields.contains(HttpHeaderNames.CONNECTION)) {
            return List.of();
        }
        Iterator<String> values = fields.valueStringIterator(HttpHeaderNames.CONNECTION);
        List<String> names = List.of();
        while (values.hasNext()) {
            String value = values.next();
            if (isPlain(value)) {
                continue;
            }
            for (String option : value.split(",")) {
                String name = option.strip();
                if (name.isEmpty() || isPlain(name) || AsciiString.contentEqualsIgnoreCase("host", name)) {
                    continue;
                }
                if (names.isEmpty()) {
                    names = new ArrayList<>(4);
                }
                names.add(name);
            }
        }
        return names;
    }

    private static boolean isPlain(String option) {
        return AsciiString.contentEqualsIgnoreCase("close", option)
                || AsciiString.contentEqualsIgnoreCase("keep-alive", option);
    }
}
