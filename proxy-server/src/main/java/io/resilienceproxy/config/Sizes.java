package io.resilienceproxy.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of bytes: a whole decimal number directly followed by {@code B}, {@code KiB}, {@code MiB} or {@code GiB}.
 *
 * @param least in bytes
 * @param most in bytes
 */
record Sizes(int least, int most) implements Type<Integer> {

    static final int KIB = 1024;
    static final int MIB = 1024 * KIB;

    private static final int MAX_DIGITS = 9;
    private static final Pattern FORM = Pattern.compile("(0|[1-9][0-9]*)(B|KiB|MiB|GiB)");

    @Override
    public Integer parse(String text) throws Mismatch {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new Mismatch("a size with a unit, such as 512B, 64KiB, 16MiB");
        }
        long unit = switch (form.group(2)) {
            case "B" -> 1;
            case "KiB" -> KIB;
            case "MiB" -> MIB;
            default -> 1024L * MIB;
        };
        String digits = form.group(1);
        long bytes = digits.length() > MAX_DIGITS ? Long.MAX_VALUE : Long.parseLong(digits) * unit;
        if (bytes < least || bytes > most) {
            throw new Mismatch(written(least) + " to " + written(most));
        }
        return (int) bytes;
    }

    @Override
    public String show(Integer value) {
        return written(value);
    }

    @Override
    public Form form() {
        return new Form.Fixed(FORM.pattern());
    }

    private static String written(int bytes) {
        if (bytes % MIB == 0 && bytes > 0) {
            return bytes / MIB + "MiB";
        }
        return bytes % KIB == 0 && bytes > 0 ? bytes / KIB + "KiB" : bytes + "B";
    }
}
