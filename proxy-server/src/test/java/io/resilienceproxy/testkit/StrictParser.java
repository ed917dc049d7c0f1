package io.resilienceproxy.testkit;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads HTTP/1.x messages without any of the leniency that RFC 9112 allows: no bare LF, no folding, no whitespace before
 * a colon, no control characters. {@link IllFormed} is the sender's fault; {@link EOFException} a message that broke off.
 */
final class StrictParser {

    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern VALUE = Pattern.compile("[\\t\\x20-\\x7e\\x80-\\xff]*");
    private static final Pattern CHUNK_SIZE = Pattern.compile("([0-9A-Fa-f]{1,15})(;[\\t\\x20-\\x7e\\x80-\\xff]*)?");

    private final InputStream in;

    StrictParser(InputStream in) {
        this.in = in;
    }

    /** The next start line; null where the stream ends before its first byte. */
    @Nullable
    String startLine() throws IOException {
        int first = in.read();
        return first < 0 ? null : line(first);
    }

    List<Field> fields() throws IOException {
        List<Field> fields = new ArrayList<>();
        for (String line = line(in.read()); !line.isEmpty(); line = line(in.read())) {
            fields.add(field(line));
        }
        return List.copyOf(fields);
    }

    /**
     * Reads a body into the sink as it comes, so that a body that breaks off leaves what had arrived.
     *
     * @return the trailer fields
     */
    List<Field> body(Framing framing, List<Field> fields, ByteArrayOutputStream sink) throws IOException {
        switch (framing) {
            case NONE -> {}
            case LENGTH -> copy(Framing.length(fields), sink);
            case CHUNKED -> {
                return chunks(sink);
            }
            case UNTIL_CLOSE -> drain(sink::write);
        }
        return List.of();
    }

    private List<Field> chunks(ByteArrayOutputStream sink) throws IOException {
        while (true) {
            String line = line(in.read());
            var matcher = CHUNK_SIZE.matcher(line);
            if (!matcher.matches()) {
                throw new IllFormed("chunk size line: " + line);
            }
            long size = Long.parseLong(matcher.group(1), 16);
            if (size == 0) {
                return fields();
            }
            copy(size, sink);
            if (!line(in.read()).isEmpty()) {
                throw new IllFormed("no CRLF behind the data of a chunk");
            }
        }
    }

    private void copy(long length, ByteArrayOutputStream sink) throws IOException {
        for (long i = 0; i < length; i++) {
            sink.write(present(in.read()));
        }
    }

    private void drain(Consumer<Integer> sink) throws IOException {
        for (int octet = in.read(); octet >= 0; octet = in.read()) {
            sink.accept(octet);
        }
    }

    private String line(int first) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int octet = present(first); octet != '\r'; octet = present(in.read())) {
            if (octet == '\n') {
                throw new IllFormed("bare LF behind: " + line);
            }
            line.append((char) octet);
        }
        if (present(in.read()) != '\n') {
            throw new IllFormed("bare CR behind: " + line);
        }
        return line.toString();
    }

    private static Field field(String line) {
        int colon = line.indexOf(':');
        if (colon < 0 || !NAME.matcher(line.substring(0, colon)).matches()) {
            throw new IllFormed("field line: " + line);
        }
        String value = line.substring(colon + 1);
        if (!VALUE.matcher(value).matches()) {
            throw new IllFormed("field value: " + line);
        }
        return new Field(line.substring(0, colon), value.strip());
    }

    private static int present(int octet) throws EOFException {
        if (octet < 0) {
            throw new EOFException("the stream ended within a message");
        }
        return octet;
    }
}
