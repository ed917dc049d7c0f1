package io.resilienceproxy.listener;

import io.resilienceproxy.http.RequestHead;

/**
 * How much of a request that was answered before its end may still be read, so that its connection can go on (RFC 9112
 * section 9.3). On the connection's event loop; begun anew with each request.
 */
final class Drain {

    /** Beyond this, closing costs less than reading. */
    static final int MAX_BYTES = 64 * 1024;

    private boolean shortBody;
    private boolean bounded;
    private int drainedBytes;

    void begin(RequestHead head) {
        drainedBytes = 0;
        shortBody = head.bodyLength() <= MAX_BYTES;
        // Whether a caller that waits for a 100 sends its body behind another answer is up to the caller.
        bounded = shortBody && !head.expectsContinue();
    }

    /** A caller that waited for a 100 and has got it will send its body. */
    void onContinue() {
        bounded = shortBody;
    }

    /** The rest comes for certain and is not known to be too long. */
    boolean isBounded() {
        return bounded;
    }

    /** Counts what was read and dropped; false when it is too much. */
    boolean take(int bytes) {
        drainedBytes += bytes;
        return drainedBytes <= MAX_BYTES;
    }
}
