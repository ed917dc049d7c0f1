package io.resilienceproxy.config;

import io.resilienceproxy.policy.RetryPolicy.RetryOn;
import io.resilienceproxy.policy.StatusSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Items of {@code failure-statuses} and {@code retry-on}; each is what it adds to what stands before it. */
final class Statuses {

    private static final Pattern CODE = Pattern.compile("[1-5][0-9]{2}");
    private static final Pattern CLASS = Pattern.compile("[1-5]xx");
    private static final Set<String> RETRYABLE_CLIENT_ERRORS = Set.of("408", "425", "429");

    /** A code from 100 to 599, or a class such as {@code 5xx}. */
    static final Type<UnaryOperator<StatusSet>> STATUS =
            Type.of(new Form.Fixed("[1-5]([0-9]{2}|xx)"), Statuses::status);

    /** What is worth another attempt (rule RE-X2: "wait" is, "wrong" is not). */
    static final Type<UnaryOperator<RetryOn>> RETRY_ON =
            Type.of(new Form.Fixed("connect-failure|reset|timeout|408|425|429|5([0-9]{2}|xx)"), Statuses::retryOn);

    private Statuses() {}

    private static UnaryOperator<StatusSet> status(String text) throws Type.Mismatch {
        if (CODE.matcher(text).matches()) {
            return before -> before.plus(Integer.parseInt(text));
        }
        if (CLASS.matcher(text).matches()) {
            return before -> before.plusClass(text.charAt(0) - '0');
        }
        throw new Type.Mismatch("a status from 100 to 599, or a class such as 5xx");
    }

    private static UnaryOperator<RetryOn> retryOn(String text) throws Type.Mismatch {
        switch (text) {
            case "connect-failure":
                return on -> new RetryOn(true, on.reset(), on.timeout(), on.statuses());
            case "reset":
                return on -> new RetryOn(on.connectFailure(), true, on.timeout(), on.statuses());
            case "timeout":
                return on -> new RetryOn(on.connectFailure(), on.reset(), true, on.statuses());
            default:
                break;
        }
        String expected = "connect-failure, reset, timeout, 408, 425, 429, 5xx, or a status from 500 to 599";
        boolean known = CODE.matcher(text).matches() || CLASS.matcher(text).matches();
        if (!known) {
            throw new Type.Mismatch(expected);
        }
        if (text.startsWith("4") && !RETRYABLE_CLIENT_ERRORS.contains(text)) {
            throw new Type.Mismatch(expected + "; no other 4xx gets better by asking again", Rule.RE_X2);
        }
        if (text.charAt(0) < '4') {
            throw new Type.Mismatch(expected);
        }
        UnaryOperator<StatusSet> status = status(text);
        return on -> new RetryOn(on.connectFailure(), on.reset(), on.timeout(), status.apply(on.statuses()));
    }
}
