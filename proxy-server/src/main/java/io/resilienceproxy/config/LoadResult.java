package io.resilienceproxy.config;

import io.resilienceproxy.policy.Policy;
import io.resilienceproxy.policy.Problem;
import io.resilienceproxy.policy.Problem.Severity;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What became of a policy file. Immutable.
 *
 * @param policy null exactly when {@code problems} has an error
 * @param problems errors and warnings, in the order of the file
 * @param explanation where each value of the policy comes from; null exactly when there is no policy
 */
public record LoadResult(
        @Nullable Policy policy,
        List<Problem> problems,
        @Nullable Explanation explanation) {

    public LoadResult {
        problems = List.copyOf(problems);
        boolean hasErrors = problems.stream().anyMatch(problem -> problem.severity() == Severity.ERROR);
        if (hasErrors != (policy == null) || hasErrors != (explanation == null)) {
            throw new IllegalArgumentException("a policy goes with no error, and an error with no policy");
        }
    }

    /** How many problems of a severity there are. */
    public long count(Severity severity) {
        return problems.stream()
                .filter(problem -> problem.severity() == severity)
                .count();
    }

    /** The rules that are broken, one a line, each with its code and what would hold; in the order of the file. */
    public List<String> rules() {
        return problems.stream()
                .map(Problem::code)
                .filter(Objects::nonNull)
                .distinct()
                .map(code -> code + ": " + Rule.of(code).summary())
                .toList();
    }

    static LoadResult refused(List<Problem> problems) {
        return new LoadResult(null, problems, null);
    }
}
