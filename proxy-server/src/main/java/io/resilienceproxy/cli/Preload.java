package io.resilienceproxy.cli;

import io.resilienceproxy.loop.Transport;
import io.resilienceproxy.metrics.ProxyMeters;
import io.resilienceproxy.time.Clock;

/**
 * Loads what a start needs last, the sockets and the meters, on a second thread, while the first reads the command line
 * and the policy. Nothing waits for it: whoever is first loads a class.
 */
final class Preload {

    private Preload() {}

    static void begin() {
        Thread thread = new Thread(Preload::load, "preload");
        thread.setDaemon(true);
        thread.start();
    }

    private static void load() {
        Transport.best().newGroup(1, "preload").shutdownGracefully();
        ProxyMeters.create(Clock.SYSTEM);
    }
}
