package io.resilienceproxy.http;

/** How the length of a message body is known (RFC 9112 section 6.3): a number of bytes, or one of these. */
public final class BodyLength {

    /** The message has no body, and no field says so. */
    public static final long ABSENT = -1;

    public static final long CHUNKED = -2;

    /** Responses only. */
    public static final long UNTIL_CLOSE = -3;

    private BodyLength() {}

    public static boolean isKnown(long bodyLength) {
        return bodyLength >= 0;
    }
}
