package io.resilienceproxy.testkit;

import java.util.List;
import java.util.Locale;

/** How the end of a body is found (RFC 9112 section 6.3), with every ambiguity taken for a fault. */
public enum Framing {
    /** No body, whatever the fields say. */
    NONE,
    LENGTH,
    CHUNKED,
    /** A response that ends with its connection. */
    UNTIL_CLOSE;

    /** @throws IllFormed where the fields contradict each other */
    static Framing ofRequest(String version, List<Field> fields) {
        Framing framing = declared(fields);
        if (framing == CHUNKED && !version.equals("HTTP/1.1")) {
            throw new IllFormed("Transfer-Encoding in a " + version + " request");
        }
        return framing == UNTIL_CLOSE ? NONE : framing;
    }

    /** @throws IllFormed where the fields contradict each other, or stand where they must not */
    static Framing ofResponse(String method, int status, List<Field> fields) {
        boolean interim = status < 200;
        if (interim || status == 204) {
            if (declared(fields) != UNTIL_CLOSE) {
                throw new IllFormed("a " + status + " response with Content-Length or Transfer-Encoding");
            }
            return NONE;
        }
        if (status == 304 || method.equals("HEAD")) {
            declared(fields);
            return NONE;
        }
        return declared(fields);
    }

    static long length(List<Field> fields) {
        String value = Field.values(fields, "Content-Length").get(0);
        if (!value.matches("[0-9]{1,18}")) {
            throw new IllFormed("Content-Length: " + value);
        }
        return Long.parseLong(value);
    }

    private static Framing declared(List<Field> fields) {
        List<String> lengths = Field.values(fields, "Content-Length");
        List<String> codings = Field.values(fields, "Transfer-Encoding");
        if (lengths.size() > 1 || codings.size() > 1 || !lengths.isEmpty() && !codings.isEmpty()) {
            throw new IllFormed("Content-Length " + lengths + " beside Transfer-Encoding " + codings);
        }
        if (!codings.isEmpty()) {
            if (!codings.get(0).toLowerCase(Locale.ROOT).equals("chunked")) {
                throw new IllFormed("Transfer-Encoding: " + codings.get(0));
            }
            return CHUNKED;
        }
        if (lengths.isEmpty()) {
            return UNTIL_CLOSE;
        }
        length(fields);
        return LENGTH;
    }
}
