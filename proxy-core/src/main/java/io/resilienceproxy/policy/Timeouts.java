package io.resilienceproxy.policy;

import java.time.Duration;

/**
 * Every duration an exchange may spend.
 *
 * @param connect until a connection is usable: waiting for a place in the pool, DNS and TCP
 * @param read silence between bytes from the upstream, the first one included
 * @param call the whole exchange: queueing, every attempt, every pause
 */
public record Timeouts(Duration connect, Duration read, Duration call) {

    public static final Timeouts DEFAULT =
            new Timeouts(Duration.ofMillis(500), Duration.ofSeconds(2), Duration.ofSeconds(8));
}
