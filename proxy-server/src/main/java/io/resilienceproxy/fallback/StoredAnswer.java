package io.resilienceproxy.fallback;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.resilienceproxy.http.BodyLength;
import io.resilienceproxy.http.ResponseHead;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** A whole good answer as its caller got it, with what tells how old it is. Immutable; thread-safe; on the heap. */
public final class StoredAnswer {

    /**
     * Measured: what an entry takes beside the bytes that are counted one by one: the cache's node and table, this object
     * and the headers of its arrays.
     */
    private static final int OVERHEAD_BYTES = 480;

    private final int status;
    private final String reasonPhrase;

    /** Field lines, one octet per character; parsed only when the answer is given. */
    private final byte[] fields;

    private final byte[] body;
    private final boolean toHead;
    private final Variation variation;
    private final long receivedNanos;
    private final long ageThenNanos;

    /**
     * @param toHead it answered a HEAD, and its Content-Length is that of another body
     * @param ageThenNanos how old it was when it came
     */
    StoredAnswer(
            ResponseHead head,
            byte[] body,
            boolean toHead,
            Variation variation,
            long receivedNanos,
            long ageThenNanos) {
        this.status = head.status();
        this.reasonPhrase = head.reasonPhrase();
        this.fields = lines(head, toHead);
        this.body = body;
        this.toHead = toHead;
        this.variation = variation;
        this.receivedNanos = receivedNanos;
        this.ageThenNanos = ageThenNanos;
    }

    private static byte[] lines(ResponseHead head, boolean toHead) {
        StringBuilder lines = new StringBuilder(256);
        head.forEachEndToEnd((name, value) -> {
            boolean another = HttpHeaderNames.AGE.contentEqualsIgnoreCase(name)
                    || !toHead && HttpHeaderNames.CONTENT_LENGTH.contentEqualsIgnoreCase(name);
            if (!another) {
                lines.append(name).append(':').append(value).append('\n');
            }
        });
        return lines.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    public int status() {
        return status;
    }

    Variation variation() {
        return variation;
    }

    /** How old it is (RFC 9111 section 4.2.3): what the upstream said of its age, the time it took, the time since. */
    public long ageNanos(long now) {
        return ageThenNanos + (now - receivedNanos);
    }

    public long ageSeconds(long now) {
        return TimeUnit.NANOSECONDS.toSeconds(ageNanos(now));
    }

    /** The bytes of memory that it takes, its key not counted. */
    int bytes() {
        return OVERHEAD_BYTES + 2 * reasonPhrase.length() + fields.length + body.length + variation.bytes();
    }

    /**
     * Its head, in which the caller may set fields.
     *
     * @param forHead it is given to a HEAD request: the length is told, and no body follows
     */
    public ResponseHead head(boolean forHead) {
        HttpHeaders parsed =
                DefaultHttpHeadersFactory.headersFactory().withValidation(false).newHeaders();
        int start = 0;
        for (int i = 0; i < fields.length; i++) {
            if (fields[i] == '\n') {
                addLine(parsed, start, i);
                start = i + 1;
            }
        }
        boolean bodiless = forHead || status == 204;
        if (forHead && !toHead && status != 204) {
            parsed.set(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(body.length));
        }
        return new ResponseHead(status, reasonPhrase, parsed, bodiless ? BodyLength.ABSENT : body.length, true);
    }

    private void addLine(HttpHeaders to, int start, int end) {
        int colon = start;
        while (fields[colon] != ':') {
            colon++;
        }
        to.add(
                new String(fields, start, colon - start, StandardCharsets.ISO_8859_1),
                new String(fields, colon + 1, end - colon - 1, StandardCharsets.ISO_8859_1));
    }

    /** The body; not copied, and to be read only. */
    public ByteBuf body() {
        return Unpooled.wrappedBuffer(body);
    }
}
