package io.resilienceproxy.http;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.Iterator;
import java.util.List;

/** The lines of one field; free where it is absent, which asking Netty for all of them is not. */
final class FieldLines {

    private FieldLines() {}

    /** Their values in order. */
    static List<String> of(HttpHeaders fields, AsciiString name) {
        return fields.contains(name) ? fields.getAll(name) : List.of();
    }

    /** More than one line has this name. */
    static boolean areSeveral(HttpHeaders fields, AsciiString name) {
        Iterator<? extends CharSequence> values = fields.valueCharSequenceIterator(name);
        if (!values.hasNext()) {
            return false;
        }
        values.next();
        return values.hasNext();
    }
}
