package io.resilienceproxy.policy;

import java.time.Duration;

/**
 * What is asked of every inbound connection.
 *
 * @param maxConnections inbound connections over all data listeners; one more is answered 503 and closed
 * @param maxHeaderSize bytes of request line and headers together; above: 414 or 431
 * @param headerTimeout a whole request head must arrive within this time of its first byte; else 408 and close
 * @param idleTimeout a connection without a request, or a caller that takes no byte of its answer, is closed after this
 */
public record Limits(int maxConnections, int maxHeaderSize, Duration headerTimeout, Duration idleTimeout) {

    public static final Limits DEFAULT = new Limits(1024, 16 * 1024, Duration.ofSeconds(10), Duration.ofMinutes(5));
}
