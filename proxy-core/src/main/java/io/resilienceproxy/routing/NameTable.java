package io.resilienceproxy.routing;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Names to values, asked with a part of a longer text: a request is matched without cutting its target or authority into
 * new strings. Immutable; thread-safe. Case-sensitive.
 */
final class NameTable<V> {

    private record Entry<V>(String name, V value, @Nullable Entry<V> next) {}

    private final @Nullable Entry<V>[] buckets;
    private final int longest;

    @SuppressWarnings("unchecked")
    NameTable(Map<String, V> names) {
        // At least twice as many buckets as names, and a power of two, so that a mask finds the bucket.
        this.buckets = (Entry<V>[]) new Entry<?>[Integer.highestOneBit(names.size() + 1) * 4];
        int most = 0;
        for (Map.Entry<String, V> entry : names.entrySet()) {
            String name = entry.getKey();
            int bucket = bucket(name, 0, name.length());
            buckets[bucket] = new Entry<>(name, entry.getValue(), buckets[bucket]);
            most = Math.max(most, name.length());
        }
        this.longest = most;
    }

    /** The value of the name that stands in {@code text} from {@code start} to before {@code end}, or null. */
    @Nullable
    V find(String text, int start, int end) {
        int length = end - start;
        if (length > longest) {
            return null;
        }
        for (Entry<V> entry = buckets[bucket(text, start, end)]; entry != null; entry = entry.next) {
            if (entry.name.length() == length && text.startsWith(entry.name, start)) {
                return entry.value;
            }
        }
        return null;
    }

    private int bucket(String text, int start, int end) {
        int hash = 0;
        for (int i = start; i < end; i++) {
            hash = 31 * hash + text.charAt(i);
        }
        return (hash ^ hash >>> 16) & buckets.length - 1;
    }
}
