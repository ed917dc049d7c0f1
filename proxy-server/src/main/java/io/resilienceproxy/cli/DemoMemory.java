package io.resilienceproxy.cli;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many requests each key has seen. The oldest keys are forgotten, so that a demo that runs for days stays small. For
 * the demo upstream's one event loop.
 */
final class DemoMemory {

    private static final int MAX_KEYS = 1000;

    private final Map<String, Integer> seen = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
            return size() > MAX_KEYS;
        }
    };

    /** The number of this request among those of its key, from 1. */
    int count(String key) {
        return seen.merge(key, 1, Integer::sum);
    }
}
