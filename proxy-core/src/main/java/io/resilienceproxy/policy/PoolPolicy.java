package io.resilienceproxy.policy;

import java.time.Duration;

/**
 * The connections to one url of an upstream.
 *
 * @param maxConnections across all event loops
 * @param idleTimeout idle connections are closed after this
 * @param maxLifetime a connection this old is not used for another request
 * @param minIdle how many are kept open and idle, across all event loops; at most {@code maxConnections}
 */
public record PoolPolicy(int maxConnections, Duration idleTimeout, Duration maxLifetime, int minIdle) {

    public static final PoolPolicy DEFAULT = new PoolPolicy(20, Duration.ofMinutes(5), Duration.ofMinutes(30), 0);
}
