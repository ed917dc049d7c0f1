package io.resilienceproxy.policy;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the caller of a read gets when there is no real answer (rules FB-1, FB-X1): the last good one, marked as stale, else
 * a fixed one, marked as default, else an honest refusal.
 *
 * @param staleIfError a last good answer is given when it is this old at most; zero: none are kept
 * @param maxBytes memory for the last good answers of the upstream; the same in all of its routes
 * @param keyHeaders names of request fields that tell answers apart; lower case, sorted, each once
 * @param response the fixed answer; null: there is none
 */
public record FallbackPolicy(
        Duration staleIfError,
        int maxBytes,
        List<String> keyHeaders,
        @Nullable FixedResponse response) {

    public static final int DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

    /** No answer but a real one. */
    public static final FallbackPolicy OFF = new FallbackPolicy(Duration.ZERO, DEFAULT_MAX_BYTES, List.of(), null);

    public FallbackPolicy {
        keyHeaders = keyHeaders.stream().sorted().distinct().toList();
    }

    /** Whether last good answers are kept. */
    public boolean keepsAnswers() {
        return !staleIfError.isZero();
    }

    /** Whether anything can be given in place of a real answer. */
    public boolean isOn() {
        return keepsAnswers() || response != null;
    }

    /**
     * An answer for when there is nothing good to give.
     *
     * @param status 200 to 599, not 304
     * @param fields in the order of the file
     * @param body empty where the status has none
     */
    public record FixedResponse(int status, List<Field> fields, String body) {

        public FixedResponse {
            fields = List.copyOf(fields);
        }
    }

    /** A header field; visible ASCII, without line breaks. */
    public record Field(String name, String value) {}
}
