package io.resilienceproxy.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Asks a listener of this process over loopback, with nothing but a socket: what it loads at start is little. Blocks.
 */
final class LoopbackClient {

    private LoopbackClient() {}

    /**
     * Sends requests, the last of which asks to close, and returns all that comes until the connection ends.
     *
     * @param millis for connecting, and for each silence
     * @throws IOException where the connection does not come about, is reset or is silent for too long
     */
    static String ask(int port, String requests, int millis) throws IOException {
        try (Socket socket = send(port, requests, millis)) {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    /** Sends requests and leaves the connection open; the caller closes it. Otherwise like {@link #ask}. */
    static Socket send(int port, String requests, int millis) throws IOException {
        // Otherwise the JDK loads all that looks for a SOCKS proxy.
        Socket socket = new Socket(Proxy.NO_PROXY);
        try {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), millis);
            socket.setSoTimeout(millis);
            socket.getOutputStream().write(requests.getBytes(StandardCharsets.ISO_8859_1));
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }
}
