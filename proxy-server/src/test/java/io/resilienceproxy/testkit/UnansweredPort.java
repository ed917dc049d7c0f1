package io.resilienceproxy.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/**
 * A loopback port on which a connect is neither taken nor refused: its accept queue is full and nobody empties it. What
 * a host that drops packets looks like.
 */
public final class UnansweredPort implements AutoCloseable {

    private static final int FILLERS = 16;
    private static final int PATIENCE_MILLIS = 250;

    private final ServerSocket listener;
    private final List<Socket> fillers = new ArrayList<>();

    private UnansweredPort(InetAddress address, int port) throws IOException {
        listener = new ServerSocket(port, 1, address);
    }

    public static UnansweredPort open() {
        return openAt("127.0.0.1", 0);
    }

    /** @param port 0 for any */
    public static UnansweredPort openAt(String address, int port) {
        try {
            UnansweredPort unanswered = new UnansweredPort(InetAddress.getByName(address), port);
            unanswered.fill();
            return unanswered;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return listener.getLocalPort();
    }

    @Override
    public void close() {
        try {
            for (Socket filler : fillers) {
                filler.close();
            }
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void fill() throws IOException {
        for (int i = 0; i < FILLERS; i++) {
            Socket filler = new Socket();
            fillers.add(filler);
            try {
                filler.connect(new InetSocketAddress(listener.getInetAddress(), port()), PATIENCE_MILLIS);
            } catch (SocketTimeoutException full) {
                return;
            }
        }
        throw new IOException("the accept queue took " + FILLERS + " connections and was not full");
    }
}
