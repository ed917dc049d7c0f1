package io.resilienceproxy.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The rows of docs/policy.md: what each key means, in the words that people read. */
final class KeyTable {

    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `([a-z.\\[\\]-]+)` \\| ([a-z ]+) \\| (.*) \\| (.*) \\|$");
    private static final Path DOCUMENT = Path.of("..", "docs", "policy.md");

    private final Map<String, MatchResult> rows = new HashMap<>();

    private KeyTable(String document) {
        ROW.matcher(document).results().forEach(row -> rows.put(row.group(1), row));
    }

    static KeyTable read() {
        try {
            return new KeyTable(Files.readString(DOCUMENT));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the key is for, as plain text. */
    String meaning(String key) {
        return row(key).group(4).replace("`", "");
    }

    boolean isRequired(String key) {
        return row(key).group(3).equals("required");
    }

    private MatchResult row(String key) {
        MatchResult row = rows.get(key);
        if (row == null) {
            throw new AssertionError(DOCUMENT + " has no row for " + key);
        }
        return row;
    }
}
