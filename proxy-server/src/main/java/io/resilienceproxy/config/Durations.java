package io.resilienceproxy.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A duration: a whole decimal number directly followed by {@code ms}, {@code s}, {@code m} (minutes) or {@code h}. No
 * other spelling: a number without a unit has meant seconds to one program and nanoseconds to the next.
 */
record Durations(Duration least, Duration most, @Nullable Rule rule) implements Type<Duration> {

    /** What no setting exceeds. */
    static final Duration DAY = Duration.ofHours(24);

    private static final Pattern FORM = Pattern.compile("(0|[1-9][0-9]*)(ms|s|m|h)");
    private static final int MAX_DIGITS = 10;
    private static final long TOO_MUCH = 10_000_000_000L;
    private static final String UNIT = "a duration with a unit, such as 500ms, 2s, 5m";

    /** 1ms to 24h. */
    static Durations positive() {
        return new Durations(Duration.ofMillis(1), DAY, null);
    }

    /** 0ms to 24h. */
    static Durations orZero() {
        return new Durations(Duration.ZERO, DAY, null);
    }

    /** 1ms to {@code most}, which {@code rule} sets. */
    static Durations atMost(Duration most, Rule rule) {
        return new Durations(Duration.ofMillis(1), most, rule);
    }

    @Override
    public Duration parse(String text) throws Mismatch {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new Mismatch(UNIT);
        }
        String digits = form.group(1);
        long number = digits.length() > MAX_DIGITS ? TOO_MUCH : Long.parseLong(digits);
        Duration value = switch (form.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
        if (value.compareTo(least) < 0) {
            throw new Mismatch(written(least) + " to " + written(most));
        }
        if (value.compareTo(most) > 0) {
            throw new Mismatch(written(least) + " to " + written(most), rule);
        }
        return value;
    }

    @Override
    public String show(Duration value) {
        return written(value);
    }

    @Override
    public Form form() {
        return new Form.Fixed(FORM.pattern());
    }

    /** In the largest unit of which it is several, without a rest; below a millisecond is rounded up. */
    static String written(Duration duration) {
        long millis = duration.plusNanos(999_999).toMillis();
        if (millis == 0 || millis % 1000 != 0) {
            return millis + "ms";
        }
        long seconds = millis / 1000;
        if (seconds % 60 != 0 || seconds == 60) {
            return seconds + "s";
        }
        return seconds % 3600 == 0 && seconds > 3600 ? seconds / 3600 + "h" : seconds / 60 + "m";
    }
}
