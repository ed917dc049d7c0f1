package io.resilienceproxy.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.policy.Problem.Severity;
import org.junit.jupiter.api.Test;

class ProblemTest {

    @Test
    void anErrorReadsAsFileLineColumnPathAndMessage() {
        Problem problem = new Problem(Severity.ERROR, null, "policy.yaml", 12, 7, "a.b", "10 (expected: a duration)");

        assertThat(problem).hasToString("policy.yaml:12:7: a.b: 10 (expected: a duration)");
    }

    @Test
    void aWarningSaysSoAndARuleIsNamedLast() {
        Problem problem = new Problem(Severity.WARNING, "BH-3", "policy.yaml", 1, 1, "a", "17 (advised: 16)");

        assertThat(problem).hasToString("policy.yaml:1:1: warning: a: 17 (advised: 16) [BH-3]");
    }

    @Test
    void aProblemOfTheWholeFileHasNoPath() {
        Problem problem = new Problem(Severity.ERROR, null, "policy.yaml", 1, 1, "", "the file is empty");

        assertThat(problem).hasToString("policy.yaml:1:1: the file is empty");
    }
}
