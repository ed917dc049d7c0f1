package io.resilienceproxy.metrics;

/** The {@code status} tag: the class of a status code, so that an upstream cannot invent series. */
enum StatusClass {
    NONE("none"),
    INFORMATIONAL("1xx"),
    SUCCESSFUL("2xx"),
    REDIRECTION("3xx"),
    CLIENT_ERROR("4xx"),
    SERVER_ERROR("5xx");

    static final int COUNT = 6;

    private static final StatusClass[] BY_HUNDREDS = values();

    private final String token;

    StatusClass(String token) {
        this.token = token;
    }

    String token() {
        return token;
    }

    /** @param status 0, and anything else outside 100 to 599, is {@link #NONE} */
    static StatusClass of(int status) {
        return status < 100 || status > 599 ? NONE : BY_HUNDREDS[status / 100];
    }
}
