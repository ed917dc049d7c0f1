package io.resilienceproxy.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request that a scripted upstream received. It is listed as soon as its head is in; body and trailers grow behind
 * it. Read by any thread; {@link #readBody} belongs to the script.
 */
public final class UpstreamRequest {

    private final String method;
    private final String target;
    private final String version;
    private final List<Field> fields;
    private final Framing framing;
    private final StrictParser parser;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private volatile List<Field> trailers = List.of();
    private volatile boolean complete;

    UpstreamRequest(String requestLine, List<Field> fields, StrictParser parser) {
        String[] parts = requestLine.split(" ", -1);
        if (parts.length != 3 || !parts[2].matches("HTTP/1\\.[01]") || parts[1].isEmpty()) {
            throw new IllFormed("request line: " + requestLine);
        }
        method = parts[0];
        target = parts[1];
        version = parts[2];
        this.fields = fields;
        this.parser = parser;
        framing = Framing.ofRequest(version, fields);
        if (Field.values(fields, "Host").size() != 1) {
            throw new IllFormed("Host: " + Field.values(fields, "Host"));
        }
    }

    public String method() {
        return method;
    }

    /** The request target, byte for byte. */
    public String target() {
        return target;
    }

    public String version() {
        return version;
    }

    public List<Field> fields() {
        return fields;
    }

    public @Nullable String field(String name) {
        return Field.value(fields, name);
    }

    public List<String> fieldValues(String name) {
        return Field.values(fields, name);
    }

    public Framing framing() {
        return framing;
    }

    /** What has arrived of the body. */
    public byte[] body() {
        return body.toByteArray();
    }

    public String bodyText() {
        return body.toString(StandardCharsets.UTF_8);
    }

    public List<Field> trailers() {
        return trailers;
    }

    /** Whether the request's framing was satisfied. */
    public boolean complete() {
        return complete;
    }

    /** Reads on to the end of the request; does nothing once it is complete. */
    void readBody() throws IOException {
        if (!complete) {
            trailers = parser.body(framing, fields, body);
            complete = true;
        }
    }

    @Override
    public String toString() {
        return method + " " + target + " " + version + " " + fields + (complete ? "" : " (incomplete)");
    }
}
