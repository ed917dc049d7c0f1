package io.resilienceproxy.testkit;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One response as it stood on the wire.
 *
 * @param fields in order, names in their own case
 * @param trailers the fields behind the last chunk
 * @param body what arrived, also of a body that broke off
 * @param complete whether its framing was satisfied before the connection ended; a body that the end of the connection
 *     frames is complete when that end was orderly
 */
public record RawResponse(
        String version,
        int status,
        String reason,
        List<Field> fields,
        List<Field> trailers,
        byte[] body,
        boolean complete,
        Framing framing) {

    public boolean isInterim() {
        return status < 200;
    }

    public @Nullable String field(String name) {
        return Field.value(fields, name);
    }

    public List<String> fieldValues(String name) {
        return Field.values(fields, name);
    }

    public String bodyText() {
        return new String(body, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return version + " " + status + " " + reason + " " + fields + " " + framing + (complete ? "" : " (incomplete)")
                + "\n" + bodyText();
    }
}
