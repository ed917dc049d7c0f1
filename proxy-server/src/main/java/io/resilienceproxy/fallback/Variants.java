package io.resilienceproxy.fallback;

import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answers under one key, which differ in what they vary by; the newest first. Immutable.
 *
 * @param bytes of memory that they take with their key
 */
record Variants(List<StoredAnswer> answers, int bytes) {

    /** Of one key at the same time; the oldest makes room. */
    static final int MOST = 8;

    static final Variants NONE = new Variants(List.of(), 0);

    /** With one more, which takes the place of the one that the same request would have got. */
    Variants with(StoredAnswer answer, HttpHeaders request, String key) {
        List<StoredAnswer> all = new ArrayList<>(answers.size() + 1);
        all.add(answer);
        int bytes = answer.bytes() + 2 * key.length();
        for (StoredAnswer other : answers) {
            if (all.size() < MOST && !other.variation().matches(request)) {
                all.add(other);
                bytes += other.bytes();
            }
        }
        return new Variants(List.copyOf(all), bytes);
    }

    /** The newest that the request may be given, null if there is none. */
    @Nullable
    StoredAnswer find(HttpHeaders request) {
        for (StoredAnswer answer : answers) {
            if (answer.variation().matches(request)) {
                return answer;
            }
        }
        return null;
    }
}
