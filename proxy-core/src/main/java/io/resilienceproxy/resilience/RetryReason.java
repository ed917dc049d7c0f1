package io.resilienceproxy.resilience;

/** What a retry answers: the {@code reason} tag of the retry metrics, under the words of {@code retry-on}. */
public enum RetryReason {
    CONNECT_FAILURE("connect-failure"),
    RESET("reset"),
    TIMEOUT("timeout"),
    STATUS("status");

    private final String token;

    RetryReason(String token) {
        this.token = token;
    }

    public String token() {
        return token;
    }
}
