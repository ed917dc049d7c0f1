package io.resilienceproxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables of docs/policy.md against the format: every key has a row, and no row a key that there is not. */
class PolicyDocumentTest {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z.\\[\\]-]+)` \\| [a-z ]+ \\| .* \\| .* \\|$");

    private static final Pattern ROW_WITH_DEFAULT =
            Pattern.compile("(?m)^\\| `([a-z.-]+)` \\| [a-z ]+ \\| `([^`]+)` \\| .* \\|$");
    private static final Path DOCUMENT = Path.of("..", "docs", "policy.md");

    @Test
    void everyKeyHasOneRowAndEveryRowAKey() throws IOException {
        List<String> rows = ROW.matcher(Files.readString(DOCUMENT))
                .results()
                .map(row -> row.group(1))
                .toList();

        assertThat(rows).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(keys());
    }

    @ParameterizedTest
    @MethodSource("rowsWithADefault")
    void aDefaultThatIsWrittenOutChangesNothing(String key, String value) {
        List<String> parts = List.of(key.split("\\."));
        boolean ofProcess = Format.POLICY.known().containsKey(parts.get(0));
        String nested = String.join(": {", parts) + ": " + value + "}".repeat(parts.size() - 1);
        String written = ofProcess
                ? nested + "\nupstreams: {up: {url: http://up}}"
                : "upstreams: {up: {url: http://up, " + nested + "}}";

        assertThat(Loading.clean(written)).isEqualTo(Loading.clean("upstreams: {up: {url: http://up}}"));
    }

    static Stream<Arguments> rowsWithADefault() throws IOException {
        return ROW_WITH_DEFAULT
                .matcher(Files.readString(DOCUMENT))
                .results()
                .map(row -> Arguments.of(row.group(1), row.group(2)));
    }

    /** As the document writes them: what upstreams, routes and defaults have in common stands there once. */
    private static Set<String> keys() {
        Set<String> keys = new TreeSet<>();
        Shape.Fields policy = Format.POLICY;
        policy.known().forEach((key, shape) -> {
            if (shape instanceof Shape.Fields fields && !key.equals("defaults")) {
                collect(keys, key + ".", fields);
            } else {
                keys.add(key);
            }
        });
        Shape.Fields defaults = (Shape.Fields) policy.known().get("defaults");
        collect(keys, "", defaults);
        Shape.Named upstreams = (Shape.Named) policy.known().get("upstreams");
        Shape.Fields upstream = (Shape.Fields) upstreams.each();
        collect(keys, "", upstream, defaults);
        Shape.ListOf routes = (Shape.ListOf) upstream.known().get("routes");
        collect(keys, "routes[].", (Shape.Fields) routes.item(), defaults);
        return keys;
    }

    private static void collect(Set<String> keys, String prefix, Shape.Fields fields, Shape.Fields... but) {
        fields.known().forEach((key, shape) -> {
            if (but.length > 0 && but[0].known().containsKey(key)) {
                return;
            }
            if (shape instanceof Shape.Fields part) {
                collect(keys, prefix + key + ".", part);
            } else {
                keys.add(prefix + key);
            }
        });
    }
}
