package io.resilienceproxy.files;

/** What one or several files held when they were looked at, or why they could not be read. Immutable. */
public interface Snapshot<S extends Snapshot<S>> {

    boolean isSameAs(S other);

    /** Whether it lies behind other links than the other one: then it was put in place whole, by one renamed link. */
    boolean isSwappedFor(S other);
}
