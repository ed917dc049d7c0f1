package io.resilienceproxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.policy.Policy;
import io.resilienceproxy.policy.Problem;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Short ways to load a text, with a fixed environment. */
final class Loading {

    static final Map<String, String> ENVIRONMENT = Map.of(
            "PORT", "8600",
            "READ", "3s",
            "EMPTY", "",
            "NESTED", "${PORT}",
            "TRAILING", "3s\n",
            "NULL", "null",
            "LONG", "x".repeat(3000));

    private Loading() {}

    static LoadResult load(String text) {
        return new PolicyLoader(Loading::environment).parse("policy.yaml", text);
    }

    private static @Nullable String environment(String name) {
        return ENVIRONMENT.get(name);
    }

    /** A policy without any problem, warnings included. */
    static Policy clean(String text) {
        LoadResult result = load(text);
        assertThat(result.problems()).isEmpty();
        Policy policy = result.policy();
        assertThat(policy).isNotNull();
        return policy;
    }

    /** The lines that a reader sees, without the file's name. */
    static List<String> problems(String text) {
        return load(text).problems().stream()
                .map(Problem::toString)
                .map(line -> line.replaceFirst("^policy.yaml:", ""))
                .toList();
    }

    /** One upstream with these lines in it, each indented by four. */
    static String upstream(String... lines) {
        return "upstreams:\n  sber:\n    url: http://sber:8080\n" + indent(lines);
    }

    static String indent(String... lines) {
        StringBuilder text = new StringBuilder();
        for (String line : lines) {
            line.lines().forEach(part -> text.append("    ").append(part).append('\n'));
        }
        return text.toString();
    }
}
