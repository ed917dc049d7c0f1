package io.resilienceproxy.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;

/**
 * A socket whose input is pumped into a {@link ByteLog} by a thread of its own, so that the peer's leaving is seen even
 * while nobody reads. Thread-safe; writes are the caller's to order.
 */
final class Wire {

    private final Socket socket;
    private final Socket raw;
    private final ByteLog log = new ByteLog();
    private boolean paused;

    Wire(Socket socket, String name) throws SocketException {
        this(socket, socket, name);
    }

    /** @param raw what a socket of TLS is layered upon */
    Wire(Socket socket, Socket raw, String name) throws SocketException {
        this.socket = socket;
        this.raw = raw;
        socket.setTcpNoDelay(true);
        Thread pump = new Thread(this::pump, name + "-pump");
        pump.setDaemon(true);
        pump.start();
    }

    ByteLog log() {
        return log;
    }

    void write(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The pump takes at most one more buffer; then the kernel's fill up and the peer feels it. */
    synchronized void pauseReading() {
        paused = true;
    }

    synchronized void resumeReading() {
        paused = false;
        notifyAll();
    }

    void shutdownOutput() {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Closes with a reset: nothing that is still queued is delivered. */
    void rst() {
        try {
            raw.setSoLinger(true, 0);
        } catch (SocketException alreadyClosed) {
            return;
        }
        cut();
    }

    /** Closes the connection under TLS, which so ends without its close_notify. */
    void cut() {
        close(raw);
    }

    void close() {
        close(socket);
    }

    private void close(Socket closed) {
        log.end(ConnectionEnd.CLOSED_HERE);
        resumeReading();
        try {
            closed.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void pump() {
        byte[] buffer = new byte[16 * 1024];
        try {
            for (int n = receive(buffer); n >= 0; n = receive(buffer)) {
                log.append(buffer, n);
            }
            log.end(ConnectionEnd.FIN);
        } catch (IOException | InterruptedException e) {
            log.end(ConnectionEnd.RST);
        }
    }

    private int receive(byte[] buffer) throws IOException, InterruptedException {
        synchronized (this) {
            while (paused) {
                wait();
            }
        }
        return socket.getInputStream().read(buffer);
    }
}
