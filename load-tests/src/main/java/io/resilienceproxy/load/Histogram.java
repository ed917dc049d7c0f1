package io.resilienceproxy.load;

/**
 * Counts durations in buckets whose width grows with the value: below 128 ns each value has its own, above that a bucket is
 * less than 1/64 of its value wide. Not thread-safe.
 */
final class Histogram {

    private static final int SUB_BUCKET_BITS = 6;
    private static final int SUB_BUCKETS = 1 << SUB_BUCKET_BITS;

    private final long[] counts = new long[(Long.SIZE - SUB_BUCKET_BITS) * SUB_BUCKETS];
    private long total;
    private long max;

    /** @param nanos negative ones count as 0 */
    void record(long nanos) {
        long value = Math.max(0, nanos);
        counts[bucket(value)]++;
        total++;
        max = Math.max(max, value);
    }

    long total() {
        return total;
    }

    /** The largest value, exact; 0 when nothing was recorded. */
    long maxNanos() {
        return max;
    }

    /**
     * The upper end of the bucket that the quantile lies in, at most the largest value.
     *
     * @param quantile from 0 to 1
     * @return 0 when nothing was recorded
     */
    long valueAt(double quantile) {
        long wanted = Math.max(1, (long) Math.ceil(quantile * total));
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= wanted) {
                return Math.min(max, upperEnd(i));
            }
        }
        return max;
    }

    private static int bucket(long value) {
        int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(value) - SUB_BUCKET_BITS - 1);
        return shift * SUB_BUCKETS + (int) (value >>> shift);
    }

    private static long upperEnd(int bucket) {
        int shift = Math.max(0, bucket / SUB_BUCKETS - 1);
        long step = bucket - (long) shift * SUB_BUCKETS;
        return (step + 1 << shift) - 1;
    }
}
