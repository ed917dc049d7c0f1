package io.resilienceproxy.config;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Replaces <code>${NAME}</code> and <code>${NAME:fallback}</code> in one scalar.
 *
 * <p>A variable that is set to nothing counts as set. A fallback ends at the first <code>}</code> and is taken as it is;
 * what comes from the environment is never looked at again. <code>$${</code> stands for <code>${</code>; a <code>$</code>
 * before anything else is itself. Within a flow collection (<code>{...}</code> or <code>[...]</code>) YAML wants the
 * scalar in quotes.
 */
final class Substitution {

    /** Of a value, with or without a reference in it. */
    static final int MAX_LENGTH = 1024;

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final UnaryOperator<@Nullable String> environment;
    private final Problems problems;

    Substitution(UnaryOperator<@Nullable String> environment, Problems problems) {
        this.environment = environment;
        this.problems = problems;
    }

    /** One <code>${NAME}</code> in a value; not set: its fallback was taken. */
    record Reference(String name, boolean set) {}

    /** A value after substitution, and the references that were in it. */
    record Result(String text, List<Reference> references) {}

    /** Null: reported. */
    @Nullable
    Result apply(String text, Place place) {
        if (text.length() > MAX_LENGTH) {
            return tooLong(place);
        }
        List<Reference> references = new ArrayList<>();
        StringBuilder result = new StringBuilder();
        int done = 0;
        for (int start = text.indexOf("${"); start >= 0; start = text.indexOf("${", done)) {
            if (start > done && text.charAt(start - 1) == '$') {
                result.append(text, done, start - 1).append("${");
                done = start + 2;
                continue;
            }
            int end = text.indexOf('}', start);
            String value =
                    end < 0 ? malformed(text.substring(start), place) : variable(text, start, end, place, references);
            if (value == null) {
                return null;
            }
            result.append(text, done, start).append(value);
            done = end + 1;
            if (result.length() > MAX_LENGTH) {
                return tooLong(place);
            }
        }
        result.append(text, done, text.length());
        return result.length() > MAX_LENGTH ? tooLong(place) : new Result(result.toString(), List.copyOf(references));
    }

    private @Nullable Result tooLong(Place place) {
        problems.error(place, "a value that is too long (expected: at most " + MAX_LENGTH + " characters)");
        return null;
    }

    private @Nullable String variable(String text, int start, int end, Place place, List<Reference> references) {
        String reference = text.substring(start + 2, end);
        int colon = reference.indexOf(':');
        String name = colon < 0 ? reference : reference.substring(0, colon);
        if (!NAME.matcher(name).matches() || reference.contains("${")) {
            return malformed(text.substring(start, end + 1), place);
        }
        String value = environment.apply(name);
        references.add(new Reference(name, value != null));
        if (value != null) {
            return value;
        }
        if (colon >= 0) {
            return reference.substring(colon + 1);
        }
        String shown = Found.plain(name);
        problems.error(
                place,
                "the environment variable " + shown + " is not set (expected: set, or ${" + shown + ":fallback})");
        return null;
    }

    private @Nullable String malformed(String reference, Place place) {
        problems.error(place, Found.text(reference) + " (expected: ${NAME} or ${NAME:fallback}; $${ for a literal ${)");
        return null;
    }
}
