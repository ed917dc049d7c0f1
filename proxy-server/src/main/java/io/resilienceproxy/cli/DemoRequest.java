package io.resilienceproxy.cli;

import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a request to the {@link DemoUpstream} asks it to do, read from the query.
 *
 * @param delayMillis before the answer
 * @param status of the answer
 * @param failFirst how many requests of the key are answered with 503
 * @param key which requests are counted together
 * @param dead whether the connection is reset instead of an answer
 * @param hold whether no answer ever comes
 */
record DemoRequest(long delayMillis, int status, int failFirst, String key, boolean dead, boolean hold) {

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,6})(ms|s)");

    /** @throws IllegalArgumentException with a line for the user where a parameter cannot be read */
    static DemoRequest of(String target) {
        Map<String, List<String>> query = new QueryStringDecoder(target).parameters();
        return new DemoRequest(
                delayMillis(last(query, "delay", "0s")),
                number(query, "status", 200, 200, 599),
                number(query, "fail-first", 0, 0, 1_000_000),
                last(query, "key", ""),
                query.containsKey("dead"),
                query.containsKey("hold"));
    }

    private static long delayMillis(String value) {
        Matcher duration = DURATION.matcher(value);
        if (!duration.matches()) {
            throw new IllegalArgumentException("delay: " + value + " (expected: a duration such as 3s or 250ms)");
        }
        long number = Long.parseLong(duration.group(1));
        return duration.group(2).equals("s") ? number * 1000 : number;
    }

    private static int number(Map<String, List<String>> query, String name, int absent, int min, int max) {
        String value = last(query, name, Integer.toString(absent));
        if (value.matches("[0-9]{1,7}")) {
            int number = Integer.parseInt(value);
            if (number >= min && number <= max) {
                return number;
            }
        }
        throw new IllegalArgumentException(
                name + ": " + value + " (expected: a number from " + min + " to " + max + ")");
    }

    private static String last(Map<String, List<String>> query, String name, String absent) {
        List<String> values = query.getOrDefault(name, List.of(absent));
        return values.get(values.size() - 1);
    }
}
