package io.resilienceproxy.policy;

import org.jspecify.annotations.Nullable;

/**
 * One thing that is wrong, or unwise, in a policy file. Immutable.
 *
 * @param severity an error keeps the file from being used; a warning does not
 * @param code of the resilience rule that is broken, such as {@code TO-X2}; null where the format itself is
 * @param file as it was named to the loader
 * @param line from 1
 * @param column from 1, in code points
 * @param path such as {@code upstreams.sber.timeouts.read}; empty for the file as a whole
 * @param message the value found and, in parentheses, what is expected; one line, without control characters
 */
public record Problem(
        Severity severity, @Nullable String code, String file, int line, int column, String path, String message) {

    public enum Severity {
        ERROR,
        WARNING
    }

    /** {@code policy.yaml:12:7: upstreams.sber.timeouts.read: 10 (expected: ...) [TO-X3]}; a warning says so first. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder()
                .append(file)
                .append(':')
                .append(line)
                .append(':')
                .append(column)
                .append(": ");
        if (severity == Severity.WARNING) {
            text.append("warning: ");
        }
        if (!path.isEmpty()) {
            text.append(path).append(": ");
        }
        text.append(message);
        if (code != null) {
            text.append(" [").append(code).append(']');
        }
        return text.toString();
    }
}
