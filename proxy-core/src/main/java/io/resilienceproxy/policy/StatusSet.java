package io.resilienceproxy.policy;

import java.util.BitSet;

/** A set of HTTP status codes between 100 and 599. Immutable. */
public final class StatusSet {

    public static final StatusSet NONE = new StatusSet(new BitSet());
    public static final StatusSet SERVER_ERRORS = NONE.plusClass(5);

    private final BitSet codes;

    private StatusSet(BitSet codes) {
        this.codes = codes;
    }

    public StatusSet plus(int status) {
        if (status < 100 || status > 599) {
            throw new IllegalArgumentException("status: " + status + " (expected: 100 to 599)");
        }
        BitSet more = (BitSet) codes.clone();
        more.set(status);
        return new StatusSet(more);
    }

    /** With all codes of a class: 5 adds 500 to 599. */
    public StatusSet plusClass(int statusClass) {
        if (statusClass < 1 || statusClass > 5) {
            throw new IllegalArgumentException("status class: " + statusClass + " (expected: 1 to 5)");
        }
        BitSet more = (BitSet) codes.clone();
        more.set(statusClass * 100, statusClass * 100 + 100);
        return new StatusSet(more);
    }

    /** Whether the status is in the set; one that is no status at all counts as 500 (RFC 9110 section 15). */
    public boolean contains(int status) {
        return codes.get(status >= 100 && status <= 599 ? status : 500);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StatusSet that && codes.equals(that.codes);
    }

    @Override
    public int hashCode() {
        return codes.hashCode();
    }

    @Override
    public String toString() {
        return codes.toString();
    }
}
