package io.resilienceproxy.http;

/**
 * Why a request is refused before it reaches an exchange.
 *
 * @param detail one sentence for the caller; never holds bytes of the request
 */
public record RequestFault(Kind kind, String detail) {

    public enum Kind {
        BAD_REQUEST,
        TARGET_TOO_LONG,
        EXPECTATION_FAILED,
        HEADERS_TOO_LARGE,
        NOT_IMPLEMENTED,
        VERSION_NOT_SUPPORTED
    }

    static RequestFault bad(String detail) {
        return new RequestFault(Kind.BAD_REQUEST, detail);
    }
}
