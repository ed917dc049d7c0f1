package io.resilienceproxy.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A loopback port for programs that cannot choose one themselves. From below the ports that systems give to whoever asks for
 * any (from 32768, from 49152): between the look and the use no connection and no bind to port 0 can take it. None is given
 * twice in one process, and two processes begin far apart.
 */
public final class FreePort {

    private static final int FIRST = 20_000;
    private static final int COUNT = 12_000;
    private static final AtomicInteger NEXT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

    private FreePort() {}

    public static int find() {
        for (int i = 0; i < COUNT; i++) {
            int port = FIRST + NEXT.getAndIncrement() % COUNT;
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port from " + FIRST + " to " + (FIRST + COUNT - 1));
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
