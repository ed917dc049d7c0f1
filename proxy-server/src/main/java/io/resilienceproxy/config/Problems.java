package io.resilienceproxy.config;

import io.resilienceproxy.policy.Problem;
import io.resilienceproxy.policy.Problem.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collects what is wrong with one file. The same problem, met again through inheritance, counts once; of each severity
 * at most {@value #MAX} are kept. Not thread-safe.
 */
final class Problems {

    static final int MAX = 100;

    private final String file;
    private final Map<Severity, Map<String, Problem>> found = new EnumMap<>(Severity.class);
    private boolean more;

    Problems(String file) {
        this.file = file;
    }

    String file() {
        return file;
    }

    void error(Place place, String message) {
        error(place, null, message);
    }

    void error(Place place, @Nullable Rule rule, String message) {
        add(Severity.ERROR, place, rule, message);
    }

    void warning(Place place, @Nullable Rule rule, String message) {
        add(Severity.WARNING, place, rule, message);
    }

    private void add(Severity severity, Place place, @Nullable Rule rule, String message) {
        Map<String, Problem> same = found.computeIfAbsent(severity, s -> new LinkedHashMap<>());
        if (same.size() == MAX) {
            more = true;
            return;
        }
        String code = rule == null ? null : rule.code();
        String path = place.path().toString();
        Problem problem = new Problem(severity, code, file, place.line(), place.column(), path, message);
        same.putIfAbsent(problem.toString(), problem);
    }

    /** Whether another error would not be shown: the time to word it can be saved. */
    boolean isFull() {
        return hasErrors() && found.get(Severity.ERROR).size() == MAX;
    }

    boolean hasErrors() {
        return found.containsKey(Severity.ERROR);
    }

    /** In the order of the file. */
    List<Problem> list() {
        List<Problem> all = new ArrayList<>();
        found.values().forEach(same -> all.addAll(same.values()));
        all.sort(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column));
        if (more) {
            Severity severity = hasErrors() ? Severity.ERROR : Severity.WARNING;
            Problem last = all.get(all.size() - 1);
            String message = "there may be more problems; the first " + MAX + " of a kind are shown";
            all.add(new Problem(severity, null, file, last.line(), last.column(), "", message));
        }
        return List.copyOf(all);
    }
}
