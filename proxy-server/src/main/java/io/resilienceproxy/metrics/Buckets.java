package io.resilienceproxy.metrics;

import java.time.Duration;

/** Upper bounds of histogram buckets. */
final class Buckets {

    /** From a local answer to the longest read timeout that a policy may have (rule TO-X3). */
    static final Duration[] LATENCY = {
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofSeconds(60)
    };

    private Buckets() {}
}
