package io.resilienceproxy.config;

import io.resilienceproxy.policy.Policy;
import io.resilienceproxy.policy.Problem;
import io.resilienceproxy.policy.Problem.Severity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of a policy file. Immutable.
 *
 * @param policy null exactly when {@code problems} has an error
 * @param problems errors and warnings, in the order of the file
 */
public record LoadResult(@Nullable Policy policy, List<Problem> problems) {

    public LoadResult {
        problems = List.copyOf(problems);
        boolean hasErrors = problems.stream().anyMatch(problem -> problem.severity() == Severity.ERROR);
        if (hasErrors != (policy == null)) {
            throw new IllegalArgumentException("a policy goes with no error, and an error with no policy");
        }
    }
}
