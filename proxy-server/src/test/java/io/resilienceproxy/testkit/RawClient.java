package io.resilienceproxy.testkit;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A caller that sends exactly the bytes it is given and reads responses strictly. Every wait is bounded, by 5 s unless
 * {@link #patience} says otherwise, and ends the test with what had arrived. For one thread.
 */
public final class RawClient implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Pattern STATUS_LINE =
            Pattern.compile("(HTTP/1\\.[01]) ([1-5][0-9]{2}) ([\\t\\x20-\\x7e\\x80-\\xff]*)");

    private final Wire wire;
    private final StrictParser parser;
    private final int localPort;
    private Duration patience = PATIENCE;

    private RawClient(Socket socket) throws SocketException {
        localPort = socket.getLocalPort();
        wire = new Wire(socket, "raw-client-" + localPort);
        parser = new StrictParser(wire.log());
    }

    /** Connects to that port of 127.0.0.1. */
    public static RawClient connect(int port) {
        return connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    }

    /**
     * @param receiveBuffer bytes that the kernel may hold for a client that does not read; 0 for its default
     * @throws UncheckedIOException where the connection is refused or not answered within 5 s
     */
    public static RawClient connect(InetSocketAddress address, int receiveBuffer) {
        Socket socket = new Socket();
        try {
            if (receiveBuffer > 0) {
                socket.setReceiveBufferSize(receiveBuffer);
            }
            socket.connect(address, (int) PATIENCE.toMillis());
            return new RawClient(socket);
        } catch (IOException e) {
            closeQuietly(socket, e);
            throw new UncheckedIOException(e);
        }
    }

    public RawClient patience(Duration patience) {
        this.patience = patience;
        return this;
    }

    public int localPort() {
        return localPort;
    }

    /** Sends one octet per character. */
    public RawClient send(String latin1) {
        return send(latin1.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Blocks while the peer does not read. */
    public RawClient send(byte[] bytes) {
        wire.write(bytes);
        return this;
    }

    /** Sends a request without a body. */
    public RawClient sendRequest(String method, String target, String host, String... fields) {
        StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\n");
        for (String field : fields) {
            head.append(field).append("\r\n");
        }
        return send(head.append("\r\n").toString());
    }

    /** A GET, and the final response to it. */
    public RawResponse get(String target, String host, String... fields) {
        sendRequest("GET", target, host, fields);
        return readFinalResponse("GET");
    }

    /**
     * Reads one response, an interim one like any other.
     *
     * @param method of the request that it answers: it decides whether there is a body
     * @throws AssertionError where none came, it was ill-formed, or its head broke off
     */
    public RawResponse readResponse(String method) {
        wire.log().boundReads(patience);
        try {
            String line = parser.startLine();
            if (line == null) {
                throw new AssertionError("the connection ended (" + end() + ") where a response was expected");
            }
            return readRest(method, line);
        } catch (IOException | IllFormed e) {
            throw new AssertionError("no response: " + e.getMessage() + "; received in all:\n" + received(), e);
        }
    }

    /** Reads on until a response is not an interim one. */
    public RawResponse readFinalResponse(String method) {
        RawResponse response = readResponse(method);
        while (response.isInterim() && response.status() != 101) {
            response = readResponse(method);
        }
        return response;
    }

    private RawResponse readRest(String method, String line) throws IOException {
        Matcher status = STATUS_LINE.matcher(line);
        if (!status.matches()) {
            throw new IllFormed("status line: " + line);
        }
        List<Field> fields = parser.fields();
        int code = Integer.parseInt(status.group(2));
        Framing framing = Framing.ofResponse(method, code, fields);
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        List<Field> trailers = List.of();
        boolean complete = true;
        try {
            trailers = parser.body(framing, fields, body);
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (EOFException | SocketException brokeOff) {
            complete = false;
        }
        return new RawResponse(
                status.group(1), code, status.group(3), fields, trailers, body.toByteArray(), complete, framing);
    }

    /** Reads to the end of the connection: what had not been read yet, one character per octet. */
    public String readToEnd() {
        if (!isClosedByPeer(patience)) {
            throw new AssertionError("still open; received in all:\n" + received());
        }
        return wire.log().unread();
    }

    /** Whether the peer finishes or resets the connection within that time, whatever it sends before. */
    public boolean isClosedByPeer(Duration within) {
        return wire.log().awaitEnd(within) != ConnectionEnd.OPEN;
    }

    public ConnectionEnd end() {
        return wire.log().end();
    }

    /** All that was ever received, one character per octet. */
    public String received() {
        return wire.log().text();
    }

    /** Stops taking bytes from the kernel, so that the peer comes to feel a slow reader. */
    public void pauseReading() {
        wire.pauseReading();
    }

    public void resumeReading() {
        wire.resumeReading();
    }

    /** Sends FIN and goes on reading. */
    public void shutdownOutput() {
        wire.shutdownOutput();
    }

    /** Closes with a reset. */
    public void rst() {
        wire.rst();
    }

    @Override
    public void close() {
        wire.close();
    }

    private static void closeQuietly(Socket socket, IOException cause) {
        try {
            socket.close();
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }
}
