package io.resilienceproxy.policy;

import java.time.Duration;

/**
 * The connections of one upstream.
 *
 * @param maxConnections across all event loops
 * @param idleTimeout idle connections are closed after this
 * @param maxLifetime a connection this old is not used for another request
 */
public record PoolPolicy(int maxConnections, Duration idleTimeout, Duration maxLifetime) {

    public static final PoolPolicy DEFAULT = new PoolPolicy(20, Duration.ofMinutes(5), Duration.ofMinutes(30));
}
