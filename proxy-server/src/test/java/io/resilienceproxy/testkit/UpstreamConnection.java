package io.resilienceproxy.testkit;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** One connection that a scripted upstream accepted, with all that came over it. Read by any thread. */
public final class UpstreamConnection {

    private final int number;
    private final Wire wire;
    private final StrictParser parser;
    private final List<UpstreamRequest> requests = new CopyOnWriteArrayList<>();

    UpstreamConnection(int number, Socket socket, Socket raw) throws SocketException {
        this.number = number;
        wire = new Wire(socket, raw, "upstream-connection-" + number);
        parser = new StrictParser(wire.log());
    }

    /** Counted from 1 in the order in which they were accepted. */
    public int number() {
        return number;
    }

    public List<UpstreamRequest> requests() {
        return List.copyOf(requests);
    }

    /** All that was received, one character per octet. */
    public String received() {
        return wire.log().text();
    }

    /** Whether neither side has ended it. */
    public boolean isOpen() {
        return end() == ConnectionEnd.OPEN;
    }

    public ConnectionEnd end() {
        return wire.log().end();
    }

    /** Waits for the end for at most that time; {@link ConnectionEnd#OPEN} where there was none. */
    public ConnectionEnd awaitEnd(Duration patience) {
        return wire.log().awaitEnd(patience);
    }

    public void close() {
        wire.close();
    }

    public void rst() {
        wire.rst();
    }

    Wire wire() {
        return wire;
    }

    /**
     * Reads and answers requests until the connection ends.
     *
     * @param wholeRequests whether a script is called behind the body instead of behind the head
     * @throws IllFormed where the peer sent what it must not
     */
    void serve(Supplier<ScriptedUpstream.Script> script, boolean wholeRequests) throws Exception {
        try {
            for (String line = parser.startLine(); line != null; line = parser.startLine()) {
                answer(new UpstreamRequest(line, parser.fields(), parser), script.get(), wholeRequests);
            }
        } catch (EOFException | SocketException | UncheckedIOException peerLeft) {
            return;
        } finally {
            wire.close();
        }
    }

    private void answer(UpstreamRequest request, ScriptedUpstream.Script script, boolean whole) throws Exception {
        requests.add(request);
        if (whole) {
            request.readBody();
        }
        script.answer(request, new Reply(request, wire, requests.size() == 1));
        readOn(request);
    }

    private void readOn(UpstreamRequest request) throws IOException {
        if (wire.log().end() != ConnectionEnd.CLOSED_HERE) {
            request.readBody();
        }
    }
}
