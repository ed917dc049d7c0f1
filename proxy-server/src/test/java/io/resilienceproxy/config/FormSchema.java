package io.resilienceproxy.config;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.regex.Pattern;

/**
 * JSON Schema of one scalar. A parser of YAML has already taken {@code 429} for a number and {@code true} for a boolean,
 * which a policy file does not: where the text of such a value would do, so does the value.
 */
final class FormSchema {

    static final String ENVIRONMENT = "#/$defs/environment";

    private static final int FOUR_DIGITS = 9999;

    private FormSchema() {}

    /** Adds the alternatives under {@code anyOf}. */
    static void describe(ObjectNode schema, Form form) {
        ArrayNode alternatives = schema.putArray("anyOf");
        if (form instanceof Form.Number number) {
            number(alternatives, number);
        } else if (form instanceof Form.Choice choice) {
            choice(alternatives, choice);
        } else if (form instanceof Form.Fixed fixed) {
            text(alternatives, fixed.pattern());
        } else if (form instanceof Form.Free free) {
            text(alternatives, free.pattern());
        }
        alternatives.addObject().put("$ref", ENVIRONMENT);
    }

    private static void number(ArrayNode alternatives, Form.Number form) {
        ObjectNode number = alternatives.addObject().put("type", form.whole() ? "integer" : "number");
        put(number, form.above() ? "exclusiveMinimum" : "minimum", form.least());
        put(number, "maximum", form.most());
        String fraction = form.whole() ? "" : "(\\.[0-9]{1,3})?";
        alternatives.addObject().put("type", "string").put("pattern", "^(0|[1-9][0-9]*)" + fraction + "$");
    }

    private static void put(ObjectNode schema, String key, double number) {
        schema.put(key, (long) number);
    }

    private static void choice(ArrayNode alternatives, Form.Choice form) {
        ArrayNode words = alternatives.addObject().putArray("enum");
        form.words().forEach(words::add);
        if (form.words().contains("true")) {
            alternatives.addObject().put("type", "boolean");
        }
    }

    private static void text(ArrayNode alternatives, String pattern) {
        alternatives.addObject().put("type", "string").put("pattern", "^(" + pattern + ")$");
        Pattern text = Pattern.compile(pattern);
        if (text.matcher("true").matches()) {
            alternatives.addObject().put("type", "boolean");
        }
        if (text.matcher("-1.5").matches()) {
            alternatives.addObject().put("type", "number");
            return;
        }
        for (int from = 0; from <= FOUR_DIGITS; from++) {
            int to = from;
            while (to <= FOUR_DIGITS && text.matcher(Integer.toString(to)).matches()) {
                to++;
            }
            if (to > from) {
                integers(alternatives, from, to - 1);
                from = to;
            }
        }
    }

    private static void integers(ArrayNode alternatives, int least, int most) {
        ObjectNode integers = alternatives.addObject().put("type", "integer").put("minimum", least);
        if (most < FOUR_DIGITS) {
            integers.put("maximum", most);
        }
    }
}
