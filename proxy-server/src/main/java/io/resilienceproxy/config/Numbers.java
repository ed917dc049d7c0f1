package io.resilienceproxy.config;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Numbers, in decimal and in full: no leading zeros, signs, underscores, exponents or bases. */
final class Numbers {

    private static final Pattern WHOLE = Pattern.compile("0|[1-9][0-9]*");
    private static final Pattern DIGITS = Pattern.compile("0[0-9]+");
    private static final Pattern DECIMAL = Pattern.compile("(0|[1-9][0-9]{0,5})(\\.[0-9]{1,3})?");

    private Numbers() {}

    static Type<Integer> whole(int least, int most) {
        return whole(least, most, null);
    }

    /** {@code code} is the rule that sets the range. */
    static Type<Integer> whole(int least, int most, @Nullable String code) {
        String expected = "a whole number from " + least + " to " + most;
        return text -> {
            if (DIGITS.matcher(text).matches()) {
                throw new Type.Mismatch(expected + ", without leading zeros");
            }
            if (!WHOLE.matcher(text).matches()) {
                throw new Type.Mismatch(expected);
            }
            long value = text.length() > 10 ? Long.MAX_VALUE : Long.parseLong(text);
            if (value < least || value > most) {
                throw new Type.Mismatch(expected, code);
            }
            return (int) value;
        };
    }

    /** Percent. */
    static Type<Integer> percent() {
        Type<Integer> number = whole(1, 100);
        return text -> {
            try {
                return number.parse(text);
            } catch (Type.Mismatch e) {
                throw new Type.Mismatch("percent, " + e.expected());
            }
        };
    }

    /** Above 1, at most 10, with at most three decimals (rule RE-X3). */
    static Type<Double> multiplier() {
        return text -> {
            double value = decimal(text, "a number above 1, at most 10");
            if (value <= 1 || value > 10) {
                throw new Type.Mismatch("a number above 1, at most 10", "RE-X3");
            }
            return value;
        };
    }

    /** A part of one, 0 to 1, in thousandths. */
    static Type<Integer> thousandths() {
        String expected = "a number from 0 to 1, with at most three decimals";
        return text -> {
            double value = decimal(text, expected);
            if (value > 1) {
                throw new Type.Mismatch(expected);
            }
            return (int) Math.round(value * 1000);
        };
    }

    private static double decimal(String text, String expected) throws Type.Mismatch {
        if (!DECIMAL.matcher(text).matches()) {
            throw new Type.Mismatch(expected);
        }
        return Double.parseDouble(text);
    }
}
