package io.resilienceproxy.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.resilienceproxy.policy.Problem;
import io.resilienceproxy.policy.Problem.Severity;
import java.util.Locale;

/**
 * The findings of one file for machines. The form is described in docs/validate.md and only ever grows: fields are added,
 * none is renamed, retyped or taken away.
 */
public final class JsonReport {

    private static final ObjectMapper JSON = new ObjectMapper();

    private JsonReport() {}

    /**
     * One JSON object over several lines, without a line break at its end.
     *
     * @param passed whether the file is to be taken, warnings considered where they count
     */
    public static String of(String file, LoadResult result, boolean passed) {
        ObjectNode report = JSON.createObjectNode()
                .put("file", file)
                .put("valid", result.policy() != null)
                .put("passed", passed)
                .put("errors", result.count(Severity.ERROR))
                .put("warnings", result.count(Severity.WARNING));
        ArrayNode findings = report.putArray("findings");
        result.problems().forEach(problem -> finding(findings.addObject(), problem));
        try {
            return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(report);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of text and numbers is always JSON", e);
        }
    }

    private static void finding(ObjectNode finding, Problem problem) {
        String code = problem.code();
        finding.put("severity", problem.severity().name().toLowerCase(Locale.ROOT))
                .put("code", code)
                .put("rule", code == null ? null : Rule.of(code).summary())
                .put("file", problem.file())
                .put("line", problem.line())
                .put("column", problem.column())
                .put("path", problem.path())
                .put("message", problem.message());
    }
}
