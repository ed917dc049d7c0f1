package io.resilienceproxy.testkit;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What a script answers with, piece by piece. Fields are given as {@code "Name: value"}. For the script's thread only; a
 * peer that has left ends the script with an {@link java.io.UncheckedIOException}, which is no fault of the test's.
 */
public final class Reply {

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final UpstreamRequest request;
    private final Wire wire;
    private final boolean first;

    Reply(UpstreamRequest request, Wire wire, boolean first) {
        this.request = request;
        this.wire = wire;
        this.first = first;
    }

    /** Whether the request was the first one on its connection. */
    public boolean isFirst() {
        return first;
    }

    /** Sends one octet per character. */
    public Reply raw(String latin1) {
        return raw(latin1.getBytes(StandardCharsets.ISO_8859_1));
    }

    public Reply raw(byte[] bytes) {
        wire.write(bytes);
        return this;
    }

    /** Sends a whole response with a Content-Length; without its body where the request was a HEAD. */
    public Reply respond(int status, String body, String... fields) {
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        StringBuilder head = head(status, fields);
        if (status != 204 && status != 304) {
            head.append("Content-Length: ").append(content.length).append("\r\n");
        }
        head.append("\r\n");
        if (!request.method().equals("HEAD")) {
            head.append(new String(content, StandardCharsets.ISO_8859_1));
        }
        return raw(head.toString());
    }

    /** Sends a head and nothing else: an interim response, or the start of a body that {@link #raw} goes on with. */
    public Reply startRaw(int status, String... fields) {
        return raw(head(status, fields).append("\r\n").toString());
    }

    public Reply startChunked(int status, String... fields) {
        return raw(head(status, fields)
                .append("Transfer-Encoding: chunked\r\n\r\n")
                .toString());
    }

    public Reply chunk(String data) {
        return raw(Integer.toHexString(data.getBytes(StandardCharsets.UTF_8).length) + "\r\n")
                .raw(data.getBytes(StandardCharsets.UTF_8))
                .raw("\r\n");
    }

    public Reply endChunks(String... trailers) {
        StringBuilder end = new StringBuilder("0\r\n");
        for (String trailer : trailers) {
            end.append(trailer).append("\r\n");
        }
        return raw(end.append("\r\n").toString());
    }

    /** Reads the rest of the request, for a script that was called behind its head. */
    public Reply readBody() throws IOException {
        request.readBody();
        return this;
    }

    /** Stops taking bytes from the kernel, so that the sender comes to feel it. */
    public Reply pauseReading() {
        wire.pauseReading();
        return this;
    }

    public Reply resumeReading() {
        wire.resumeReading();
        return this;
    }

    /**
     * Waits for the test.
     *
     * @throws AssertionError where the test does not count down within 30 s
     */
    public Reply await(CountDownLatch latch) throws InterruptedException {
        if (!latch.await(LONGEST_PAUSE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("a script waited in vain for its test");
        }
        return this;
    }

    /** Pauses, or ends at once where the peer leaves; whether it has left. */
    public boolean pause(Duration duration) {
        return wire.log().awaitEnd(duration) != ConnectionEnd.OPEN;
    }

    /** Says nothing more until the peer leaves or the upstream is closed. */
    public void hold() throws SocketException {
        if (wire.log().awaitEnd(LONGEST_PAUSE) == ConnectionEnd.OPEN) {
            throw new AssertionError("held for " + LONGEST_PAUSE + " and nobody left");
        }
        throw new SocketException("the hold is over");
    }

    /** Sends FIN and goes on reading. */
    public void shutdownOutput() {
        wire.shutdownOutput();
    }

    public void close() {
        wire.close();
    }

    /** Ends the connection without the close_notify of TLS. */
    public void cut() {
        wire.cut();
    }

    /** Closes with a reset: what the kernel has not delivered yet is lost. */
    public void rst() {
        wire.rst();
    }

    private static StringBuilder head(int status, String... fields) {
        StringBuilder head = new StringBuilder("HTTP/1.1 ")
                .append(status)
                .append(' ')
                .append(HttpResponseStatus.valueOf(status).reasonPhrase())
                .append("\r\n");
        for (String field : fields) {
            head.append(field).append("\r\n");
        }
        return head;
    }
}
