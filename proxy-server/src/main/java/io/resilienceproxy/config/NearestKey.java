package io.resilienceproxy.config;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which known key was probably meant. */
final class NearestKey {

    private NearestKey() {}

    /** The known key that fewest edits lead to, if they are few for its length; the first of several; else null. */
    static @Nullable String of(String key, Set<String> known) {
        @Nullable String nearest = null;
        int fewest = Integer.MAX_VALUE;
        for (String candidate : known) {
            int edits = edits(bare(key), bare(candidate));
            if (edits < fewest && edits <= Math.max(1, candidate.length() / 3)) {
                fewest = edits;
                nearest = candidate;
            }
        }
        return nearest;
    }

    /** So that {@code maxConnections} and {@code max_connections} are not far away. */
    private static String bare(String key) {
        return key.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }

    /** Insertions, deletions, replacements and swaps of neighbours that make one of the other. */
    private static int edits(String from, String to) {
        int[][] edits = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                edits[i][j] = i == 0 || j == 0 ? i + j : step(edits, from, to, i, j);
            }
        }
        return edits[from.length()][to.length()];
    }

    private static int step(int[][] edits, String from, String to, int i, int j) {
        int replaced = edits[i - 1][j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        int fewest = Math.min(replaced, 1 + Math.min(edits[i - 1][j], edits[i][j - 1]));
        boolean swapped =
                i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1);
        return swapped ? Math.min(fewest, 1 + edits[i - 2][j - 2]) : fewest;
    }
}
