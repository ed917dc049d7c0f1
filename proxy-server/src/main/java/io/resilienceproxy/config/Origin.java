package io.resilienceproxy.config;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where a value comes from, in words; and its text as far as it may be shown. */
final class Origin {

    private Origin() {}

    /** {@code default}, or {@code derived} with the formula. */
    static String ofDefault(Setting<?> setting) {
        return setting.formula() == null ? "default" : "derived: " + setting.formula();
    }

    /** The layer and line, and the variables of the environment that had a part in it. */
    static String of(Layer layer, Value value) {
        Set<String> variables = new LinkedHashSet<>();
        if (value instanceof Value.Sequence sequence) {
            sequence.items().forEach(item -> addVariables(variables, item));
        } else if (value instanceof Value.Mapping mapping) {
            mapping.entries().values().forEach(entry -> addVariables(variables, entry));
        } else {
            addVariables(variables, value);
        }
        String origin = layer.word() + ", line " + value.place().line();
        return variables.isEmpty() ? origin : origin + ", " + String.join(", ", variables);
    }

    private static void addVariables(Set<String> variables, Value value) {
        if (value instanceof Value.Scalar scalar) {
            for (Substitution.Reference reference : scalar.references()) {
                variables.add((reference.set() ? "environment " : "fallback of ") + reference.name());
            }
        }
    }

    /** Null: the value is of a wrong shape, and has been reported. */
    static @Nullable List<String> shown(Type<?> type, Value value) {
        if (value instanceof Value.Scalar scalar) {
            return List.of(shown(type, scalar));
        }
        if (value instanceof Value.Sequence sequence) {
            return sequence.items().stream()
                    .filter(Value.Scalar.class::isInstance)
                    .map(item -> shown(type, (Value.Scalar) item))
                    .toList();
        }
        return null;
    }

    private static String shown(Type<?> type, Value.Scalar scalar) {
        boolean fromOutside = scalar.references().stream().anyMatch(Substitution.Reference::set);
        return fromOutside ? type.masked(scalar.text()) : scalar.text();
    }
}
