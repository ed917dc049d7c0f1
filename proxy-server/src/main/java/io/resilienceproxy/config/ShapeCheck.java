package io.resilienceproxy.config;

import org.jspecify.annotations.Nullable;

/** Reports unknown keys, and scalars, lists and maps that stand where another of them is expected. */
final class ShapeCheck {

    private final Problems problems;

    ShapeCheck(Problems problems) {
        this.problems = problems;
    }

    void check(Value value, Shape shape) {
        if (value instanceof Value.Faulty) {
            return;
        }
        if (shape instanceof Shape.Fields fields && value instanceof Value.Mapping mapping) {
            mapping.entries().forEach((key, entry) -> checkEntry(fields, key, entry));
        } else if (shape instanceof Shape.Named named && value instanceof Value.Mapping mapping) {
            mapping.entries().values().forEach(entry -> check(entry, named.each()));
        } else if (shape instanceof Shape.ListOf list && value instanceof Value.Sequence sequence) {
            sequence.items().forEach(item -> check(item, list.item()));
        } else if (!(shape instanceof Shape.Leaf && value instanceof Value.Scalar)) {
            problems.error(value.place(), value.kind() + " (expected: " + shape.expected() + ")");
        }
    }

    private void checkEntry(Shape.Fields fields, String key, Value entry) {
        Shape shape = fields.known().get(key);
        if (shape != null) {
            check(entry, shape);
            return;
        }
        if (problems.isFull()) {
            problems.error(entry.place(), "unknown key");
            return;
        }
        @Nullable String nearest = NearestKey.of(key, fields.known().keySet());
        String hint = nearest == null
                ? " (known here: " + String.join(", ", fields.known().keySet()) + ")"
                : " (did you mean \"" + nearest + "\"?)";
        problems.error(entry.place(), "unknown key \"" + Found.plain(key) + "\"" + hint);
    }
}
