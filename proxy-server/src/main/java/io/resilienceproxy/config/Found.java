package io.resilienceproxy.config;

import java.util.regex.Pattern;

/** Text of a file as it may stand in a message: short, on one line, nothing invisible. */
final class Found {

    private static final int MAX_SHOWN = 60;
    private static final Pattern USER_INFORMATION = Pattern.compile("://[^/?#@]{1,200}@");

    private Found() {}

    /** As it is when it is one visible word, else in quotes. */
    static String text(String text) {
        boolean word = !text.isEmpty() && text.chars().allMatch(c -> c > ' ' && c < 0x7F && c != '"');
        return word && text.length() <= MAX_SHOWN ? text : '"' + plain(text) + '"';
    }

    /** With what was written, where the environment had a part in it; without the user information of a url. */
    static String scalar(String text, String written) {
        String shown = text(USER_INFORMATION.matcher(text).replaceAll("://***@"));
        return text.equals(written) ? shown : shown + " (from " + plain(written) + ")";
    }

    /** Shortened and escaped, without quotes. */
    static String plain(String text) {
        StringBuilder shown = new StringBuilder();
        int end = Math.min(text.length(), text.offsetByCodePoints(0, Math.min(MAX_SHOWN, codePoints(text))));
        text.substring(0, end).codePoints().forEach(c -> append(shown, c));
        return end < text.length() ? shown.append("...").toString() : shown.toString();
    }

    private static int codePoints(String text) {
        return text.codePointCount(0, text.length());
    }

    private static void append(StringBuilder shown, int c) {
        switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.PRIVATE_USE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> shown.append(escape(c));
            default -> shown.appendCodePoint(c);
        }
    }

    private static String escape(int c) {
        return switch (c) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> String.format("\\u%04x", c);
        };
    }
}
