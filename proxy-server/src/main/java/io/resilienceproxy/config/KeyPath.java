package io.resilienceproxy.config;

import java.util.Objects;
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

    // By hand, for the start's sake: see UpstreamUrl.

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof KeyPath path && segment.equals(path.segment) && Objects.equals(parent, path.parent);
    }

    @Override
    public int hashCode() {
        return 31 * (parent == null ? 0 : parent.hashCode()) + segment.hashCode();
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
