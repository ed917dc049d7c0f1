package io.resilienceproxy.config;

import org.jspecify.annotations.Nullable;

/** Where a value stands in the tree; rendered only for a problem, so that a hostile file cannot make it costly. */
record KeyPath(@Nullable KeyPath parent, String segment) {

    static final KeyPath ROOT = new KeyPath(null, "");

    KeyPath key(String key) {
        return new KeyPath(this, key);
    }

    KeyPath item(int index) {
        return new KeyPath(this, "[" + index + "]");
    }

    /** {@code upstreams.sber.routes[0].path}; empty for the root. */
    @Override
    public String toString() {
        if (parent == null) {
            return "";
        }
        String before = parent.toString();
        return before.isEmpty() || segment.startsWith("[") ? before + segment : before + "." + segment;
    }
}
