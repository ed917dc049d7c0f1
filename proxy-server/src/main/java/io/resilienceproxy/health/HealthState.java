package io.resilienceproxy.health;

/** What a probe says of an upstream, or all probes of all of them; in the order from bad to good. */
enum HealthState {
    DOWN,
    UP,
    /** Nobody probes it. */
    UNKNOWN;

    /** Of the two, the one that says more. */
    HealthState worse(HealthState other) {
        return ordinal() <= other.ordinal() ? this : other;
    }
}
