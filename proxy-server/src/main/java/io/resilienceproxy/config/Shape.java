package io.resilienceproxy.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Which keys a part of the file may have, and whether a value is a scalar, a list or a map; nothing about ranges. */
sealed interface Shape {

    Shape SCALAR = new Leaf();

    /** How a message calls it. */
    String expected();

    /** One scalar. */
    record Leaf() implements Shape {
        @Override
        public String expected() {
            return "a single value";
        }
    }

    /** A list of parts of one shape. */
    record ListOf(Shape item) implements Shape {
        @Override
        public String expected() {
            return "a list";
        }
    }

    /** A map from names that the writer chooses. */
    record Named(Shape each) implements Shape {
        @Override
        public String expected() {
            return "a map of names";
        }
    }

    /** A map with known keys, in the order of the format. */
    record Fields(Map<String, Shape> known) implements Shape {
        @Override
        public String expected() {
            return "a map of " + String.join(", ", known.keySet());
        }

        Fields and(String key, Shape shape) {
            Map<String, Shape> more = new LinkedHashMap<>(known);
            more.put(key, shape);
            return new Fields(Collections.unmodifiableMap(more));
        }

        Fields and(Fields others) {
            Map<String, Shape> more = new LinkedHashMap<>(known);
            more.putAll(others.known);
            return new Fields(Collections.unmodifiableMap(more));
        }
    }

    /** A map of scalars. */
    static Fields fields(String... scalars) {
        Fields fields = new Fields(Map.of());
        for (String key : scalars) {
            fields = fields.and(key, SCALAR);
        }
        return fields;
    }
}
