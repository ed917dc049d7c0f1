package io.resilienceproxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.policy.Policy;
import io.resilienceproxy.policy.Problem.Severity;
import io.resilienceproxy.routing.RouteTable;
import io.resilienceproxy.time.Clock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A thousand seeded edits of the example: never an exception, and what is called a policy can be put to use, is explained
 * as the policy that it is, and is one to the schema too.
 */
class RandomEditsTest {

    private static final String[] SNIPPETS = {
        ":",
        "- ",
        "{",
        "}",
        "[",
        "]",
        "\"",
        "'",
        "&a ",
        "*a",
        "!x ",
        "#",
        "|",
        ">",
        "?",
        "%",
        "@",
        "`",
        ",",
        "\n",
        "\n\n",
        "  ",
        "\t",
        "~",
        "null",
        "yes",
        "010",
        "-1",
        "0",
        "1",
        "5",
        "999999999999",
        "1e9",
        ".nan",
        "10ms",
        "10s",
        "0s",
        "24h",
        "5xx",
        "4xx",
        "404",
        "${A}",
        "${",
        "$${",
        "<<: ",
        "---\n",
        "...\n",
        "\u0000",
        "\u00e9",
        "\uD83D\uDE00",
        "\uFEFF",
        "\r",
    };

    @Test
    void everyEditEndsInAPolicyThatWorksOrInErrors() throws IOException {
        String example = Files.readString(ExampleFilesTest.CONFIG.resolve("example.yaml"));
        PolicyLoader loader = new PolicyLoader(Map.of("A", "${A}")::get);
        Random random = new Random(20261130);
        int policies = 0;
        for (int round = 0; round < 1000; round++) {
            String edited = example;
            for (int edit = random.nextInt(3); edit >= 0; edit--) {
                edited = edit(edited, random);
            }
            LoadResult result = loader.parse("policy.yaml", edited.getBytes(StandardCharsets.UTF_8));
            boolean errors = result.problems().stream().anyMatch(p -> p.severity() == Severity.ERROR);
            Policy policy = result.policy();
            assertThat(policy == null).as("round %s", round).isEqualTo(errors);
            assertThat(result.problems())
                    .as("round %s", round)
                    .allMatch(p -> p.line() >= 1
                            && p.column() >= 1
                            && p.toString().lines().count() == 1);
            if (policy != null) {
                policies++;
                RouteTable.from(policy, Clock.SYSTEM, (name, from, to, failureRate, slowCallRate) -> {});
                assertExplained(result, loader);
                assertThat(PolicySchemaTest.errors(edited)).as(edited).isEmpty();
            }
        }
        // Both endings must be seen, or the edits are too gentle or too rough to say anything.
        assertThat(policies).isBetween(50, 950);
    }

    /** The explanation, which has no reference to the environment any more, is the same policy unless something is masked. */
    private static void assertExplained(LoadResult result, PolicyLoader loader) {
        String text = Objects.requireNonNull(result.explanation()).text();
        Policy explained = loader.parse("explained.yaml", text).policy();
        assertThat(explained).as(text).isNotNull();
        if (!text.contains("\"***\"")) {
            assertThat(explained).as(text).isEqualTo(result.policy());
        }
    }

    private static String edit(String text, Random random) {
        int at = random.nextInt(text.length() + 1);
        int end = Math.min(text.length(), at + random.nextInt(12));
        String snippet = SNIPPETS[random.nextInt(SNIPPETS.length)];
        return switch (random.nextInt(8)) {
            case 0 -> text.substring(0, at) + snippet + text.substring(at);
            case 1 -> text.substring(0, at) + text.substring(end);
            case 2 -> text.substring(0, at) + snippet + text.substring(end);
            case 3 -> text.substring(0, at) + (char) random.nextInt(0x250) + text.substring(at);
            case 4 -> text.substring(0, at) + "\n";
            case 5 -> replaceValue(text, snippet, random);
            default -> moveLines(text, random);
        };
    }

    private static String replaceValue(String text, String snippet, Random random) {
        List<String> lines = new ArrayList<>(Arrays.asList(text.split("\n", -1)));
        int line = random.nextInt(lines.size());
        lines.set(line, lines.get(line).replaceFirst(": [^#]*", ": " + snippet.replace("$", "\\$")));
        return String.join("\n", lines);
    }

    private static String moveLines(String text, Random random) {
        List<String> lines = new ArrayList<>(Arrays.asList(text.split("\n", -1)));
        int one = random.nextInt(lines.size());
        int other = random.nextInt(lines.size());
        switch (random.nextInt(4)) {
            case 0 -> Collections.swap(lines, one, other);
            case 1 -> lines.add(other, lines.get(one));
            case 2 -> lines.remove(one);
            default -> lines.set(one, " ".repeat(random.nextInt(4)) + lines.get(one));
        }
        return String.join("\n", lines);
    }
}
