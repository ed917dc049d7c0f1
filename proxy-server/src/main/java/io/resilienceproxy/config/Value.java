package io.resilienceproxy.config;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One node of the tree that a file says. Immutable. */
sealed interface Value {

    Place place();

    /** What a reader of a message calls it. */
    String kind();

    /**
     * A scalar, whatever its quotes.
     *
     * @param text after substitution
     * @param written before substitution
     * @param references to the environment in it
     */
    record Scalar(Place place, String text, String written, List<Substitution.Reference> references) implements Value {
        @Override
        public String kind() {
            return Found.scalar(text, written);
        }
    }

    /** A map; in the order of the file, keys are unique. */
    record Mapping(Place place, Map<String, Value> entries) implements Value {
        static Mapping empty(Place place) {
            return new Mapping(place, Map.of());
        }

        @Nullable
        Value get(String key) {
            return entries.get(key);
        }

        @Override
        public String kind() {
            return "a map";
        }
    }

    /** A list. */
    record Sequence(Place place, List<Value> items) implements Value {
        @Override
        public String kind() {
            return "a list";
        }
    }

    /** Something that has been reported already. */
    record Faulty(Place place) implements Value {
        @Override
        public String kind() {
            return "nothing usable";
        }
    }
}
