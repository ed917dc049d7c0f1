package io.resilienceproxy.config;

import org.jspecify.annotations.Nullable;

/**
 * A part of the file that can say a setting.
 *
 * @param word how an explanation calls it
 * @param part null: it says nothing here
 */
record Layer(String word, @Nullable Value part) {

    static Layer process(Value part) {
        return new Layer("process", part);
    }

    static Layer defaults(Value part) {
        return new Layer("defaults", part);
    }

    static Layer upstream(Value part) {
        return new Layer("upstream", part);
    }

    static Layer route(Value part) {
        return new Layer("route", part);
    }

    boolean isMapping() {
        return part instanceof Value.Mapping;
    }

    @Nullable
    Value get(String key) {
        return part instanceof Value.Mapping mapping ? mapping.get(key) : null;
    }

    /** What this layer says below a key; of a part that is no map, the part, so that it stays in the way. */
    Layer below(String key) {
        return isMapping() ? new Layer(word, get(key)) : this;
    }
}
