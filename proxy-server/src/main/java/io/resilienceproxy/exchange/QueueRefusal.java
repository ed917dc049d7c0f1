package io.resilienceproxy.exchange;

/** Why an attempt that found no permit was not served: the {@code cause} of what a bulkhead sheds. */
public enum QueueRefusal {
    /** The queue was full, and nobody of a lower priority in it; or nobody may wait. */
    FULL("full"),
    /** One of a higher priority took its place. */
    DISPLACED("displaced"),
    /** No permit came free within {@code bulkhead.max-wait-duration}. */
    TIMEOUT("timeout"),
    /** What was left of its deadline was less than half of the route's calls take: it would have been served too late. */
    LATE("late");

    private final String token;

    QueueRefusal(String token) {
        this.token = token;
    }

    public String token() {
        return token;
    }
}
