package io.resilienceproxy.policy;

import java.time.Duration;

/**
 * How an upstream is asked whether it is well (rules HC-1 to HC-4).
 *
 * @param path target of the probe, with a query if need be; the path of the upstream's url is not put in front of it
 * @param method a light one; a business call is not among them
 * @param ttl how long the outcome of a probe stands: there is at most one in this time
 * @param affectsReadiness the proxy is not ready while the last probe has failed
 */
public record HealthPolicy(String path, Method method, Duration ttl, boolean affectsReadiness) {

    public static final Duration DEFAULT_TTL = Duration.ofSeconds(30);

    /** Methods that ask for nothing to be done. */
    public enum Method {
        GET,
        HEAD,
        OPTIONS
    }
}
