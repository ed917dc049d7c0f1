package io.resilienceproxy.config;

import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Numbers, in decimal and in full: no leading zeros, signs, underscores, exponents or bases. */
final class Numbers {

    private static final Pattern WHOLE = Pattern.compile("0|[1-9][0-9]*");
    private static final Pattern DIGITS = Pattern.compile("0[0-9]+");
    private static final Pattern DECIMAL = Pattern.compile("(0|[1-9][0-9]{0,5})(\\.[0-9]{1,3})?");
    private static final int HIGHEST_MULTIPLIER = 10;

    private Numbers() {}

    static Type<Integer> whole(int least, int most) {
        return whole(least, most, null);
    }

    /** {@code rule} is what sets the range. */
    static Type<Integer> whole(int least, int most, @Nullable Rule rule) {
        return whole(least, most, "a whole number from " + least + " to " + most, rule);
    }

    private static Type<Integer> whole(int least, int most, String expected, @Nullable Rule rule) {
        return Type.of(new Form.Number(true, least, false, most), text -> {
            if (DIGITS.matcher(text).matches()) {
                throw new Type.Mismatch(expected + ", without leading zeros");
            }
            if (!WHOLE.matcher(text).matches()) {
                throw new Type.Mismatch(expected);
            }
            long value = text.length() > 10 ? Long.MAX_VALUE : Long.parseLong(text);
            if (value < least || value > most) {
                throw new Type.Mismatch(expected, rule);
            }
            return (int) value;
        });
    }

    /** Percent. */
    static Type<Integer> percent() {
        return whole(1, 100, "percent, a whole number from 1 to 100", null);
    }

    /** Above 1, at most 10, with at most three decimals (rule RE-X3). */
    static Type<Double> multiplier() {
        String expected = "a number above 1, at most " + HIGHEST_MULTIPLIER;
        return Type.of(
                new Form.Number(false, 1, true, HIGHEST_MULTIPLIER),
                text -> {
                    double value = decimal(text, expected);
                    if (value <= 1 || value > HIGHEST_MULTIPLIER) {
                        throw new Type.Mismatch(expected, value <= 1 ? Rule.RE_X3 : null);
                    }
                    return value;
                },
                value -> plain(BigDecimal.valueOf(value)));
    }

    /** A part of one, 0 to 1, in thousandths. */
    static Type<Integer> thousandths() {
        String expected = "a number from 0 to 1, with at most three decimals";
        return Type.of(
                new Form.Number(false, 0, false, 1),
                text -> {
                    double value = decimal(text, expected);
                    if (value > 1) {
                        throw new Type.Mismatch(expected);
                    }
                    return (int) Math.round(value * 1000);
                },
                value -> plain(BigDecimal.valueOf(value, 3)));
    }

    private static double decimal(String text, String expected) throws Type.Mismatch {
        if (!DECIMAL.matcher(text).matches()) {
            throw new Type.Mismatch(expected);
        }
        return Double.parseDouble(text);
    }

    private static String plain(BigDecimal number) {
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }
}
