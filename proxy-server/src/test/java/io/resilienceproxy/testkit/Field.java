package io.resilienceproxy.testkit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A header or trailer field as it stood on the wire: the name in its own case, the value without the outer whitespace. */
public record Field(String name, String value) {

    /** The values of every field of that name, in order; the case of the name does not matter. */
    public static List<String> values(List<Field> fields, String name) {
        return fields.stream()
                .filter(field -> field.name().equalsIgnoreCase(name))
                .map(Field::value)
                .toList();
    }

    /** The value of the first field of that name; null where there is none. */
    public static @Nullable String value(List<Field> fields, String name) {
        List<String> values = values(fields, name);
        return values.isEmpty() ? null : values.get(0);
    }
}
