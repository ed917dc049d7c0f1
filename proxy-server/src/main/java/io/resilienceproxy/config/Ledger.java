package io.resilienceproxy.config;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What was read of one file, setting by setting: the value in effect and who said so. Written by {@link Section} while a
 * policy is read, so that it cannot say anything else than what was read. Not thread-safe.
 */
final class Ledger {

    private final Map<KeyPath, Entry> entries = new HashMap<>();
    private final Set<KeyPath> shared = new HashSet<>();

    /**
     * One setting.
     *
     * @param type of the value, or of each item
     * @param list whether it is a list
     * @param texts the value, or the items, as a file would say them, with secrets masked; null: it has no value
     * @param origin where it comes from, such as {@code upstream, line 12}
     */
    record Entry(Type<?> type, boolean list, @Nullable List<String> texts, String origin) {}

    void add(KeyPath path, Entry entry) {
        entries.put(path, entry);
    }

    /** What is below {@code path} was read, but is not in effect: the upstream's is. */
    void share(KeyPath path) {
        shared.add(path);
    }

    @Nullable
    Entry get(KeyPath path) {
        return entries.get(path);
    }

    boolean isShared(KeyPath path) {
        return shared.contains(path);
    }
}
