package io.resilienceproxy.load;

import java.util.Arrays;
import java.util.List;

/**
 * One measurement.
 *
 * @param warmupNanos in which the streams run and do not count
 * @param measuredNanos in which they count
 */
record Job(long warmupNanos, long measuredNanos, List<StreamSpec> streams) {

    private static final int WORDS_BEFORE_STREAMS = 3;
    private static final double NANOS_PER_SECOND = 1e9;

    /**
     * @param line {@code port warmupSeconds measuredSeconds stream...}, a stream as {@link StreamSpec#parse} takes it
     * @throws IllegalArgumentException when it is anything else
     */
    static Job parse(String line) {
        String[] words = line.strip().split(" +");
        if (words.length <= WORDS_BEFORE_STREAMS) {
            throw new IllegalArgumentException(line + " (expected: port warmupSeconds measuredSeconds stream...)");
        }
        int port = Integer.parseInt(words[0]);
        return new Job(
                nanos(words[1]),
                nanos(words[2]),
                Arrays.stream(words)
                        .skip(WORDS_BEFORE_STREAMS)
                        .map(word -> StreamSpec.parse(word, port))
                        .toList());
    }

    private static long nanos(String seconds) {
        return (long) (Double.parseDouble(seconds) * NANOS_PER_SECOND);
    }
}
