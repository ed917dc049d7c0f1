package io.resilienceproxy.resilience;

/**
 * The median of a stream of durations, estimated without keeping any: each one that is longer moves the estimate up by a
 * little, each one that is shorter down by as much, so that it comes to rest where half of them are on each side. One
 * number, no allocation. A duration that doubles is followed in about fifty of them.
 *
 * <p>Thread-safe: of two at the same time one may be lost, which does no harm.
 */
public final class MedianEstimate {

    /** Before this many it is a guess, and not told. */
    private static final int FEWEST = 20;

    /** A step is this part of the estimate: small enough to rest within a few percent. */
    private static final int STEP_PART = 64;

    private volatile long estimate;
    private volatile int seen;

    /** @param nanos 0 or more */
    public void record(long nanos) {
        long before = estimate;
        if (seen < FEWEST) {
            seen = seen + 1;
            // In large steps at first: the mean of what has been seen so far is near enough to begin with.
            estimate = before + (nanos - before) / seen;
            return;
        }
        long step = Math.max(1, before / STEP_PART);
        if (nanos > before) {
            estimate = before + step;
        } else if (nanos < before) {
            estimate = before - step;
        }
    }

    /** In nanoseconds; 0 while too few have been seen. */
    public long nanos() {
        return seen < FEWEST ? 0 : estimate;
    }
}
