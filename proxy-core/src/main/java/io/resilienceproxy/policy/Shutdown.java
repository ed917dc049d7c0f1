package io.resilienceproxy.policy;

import java.time.Duration;

/**
 * How the process ends after SIGTERM: requests are still served until nothing was in flight for {@code quietPeriod}, at
 * the latest until {@code timeout}.
 */
public record Shutdown(Duration quietPeriod, Duration timeout) {

    public static final Shutdown DEFAULT = new Shutdown(Duration.ofSeconds(1), Duration.ofSeconds(30));
}
