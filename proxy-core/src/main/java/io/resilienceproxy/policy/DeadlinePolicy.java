package io.resilienceproxy.policy;

import java.time.Duration;

/**
 * How the caller's deadline is read and passed on.
 *
 * @param header field with the remaining milliseconds, read from the caller and written for the upstream
 * @param buffer kept back for the way home: the upstream is told the remaining time less this
 */
public record DeadlinePolicy(String header, Duration buffer) {

    public static final DeadlinePolicy DEFAULT = new DeadlinePolicy("X-Request-Deadline-Ms", Duration.ofMillis(100));
}
