package io.resilienceproxy.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The charts in a directory of their own, where Helm may put what it gathers; the example's dependency is resolved. */
final class Charts {

    private static final YAMLMapper YAML = new YAMLMapper();
    private static final String GET_HELM =
            "go install helm.sh/helm/v4/cmd/helm@v4.3.1, which takes some minutes, or any other Helm from 3.18 on";

    private final String helm;
    private final Path directory;

    private Charts(String helm, Path directory) {
        this.helm = helm;
        this.directory = directory;
    }

    static Charts in(Path directory) {
        Charts charts = new Charts(Run.need("helm", GET_HELM), directory);
        copy(Run.ROOT.resolve("helm"), directory);
        charts.helm("dependency", "update", "--skip-refresh", "example").orFail();
        return charts;
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs Helm; arguments that name a chart or a file of one are relative to helm/. */
    Run helm(String... arguments) {
        List<String> command = new ArrayList<>(List.of("env", "-C", directory.toString(), helm));
        command.addAll(List.of(arguments));
        return Run.of(command.toArray(String[]::new));
    }

    /** The example as release {@code shop}, for that version of Kubernetes. */
    Run template(String kubernetes, String... arguments) {
        List<String> command = new ArrayList<>(List.of("template", "shop", "example", "--kube-version", kubernetes));
        command.addAll(List.of(arguments));
        return helm(command.toArray(String[]::new));
    }

    /** The documents of a rendering. */
    static List<JsonNode> documents(Run rendered) {
        try {
            return YAML
                    .readerFor(JsonNode.class)
                    .<JsonNode>readValues(rendered.orFail().output())
                    .readAll()
                    .stream()
                    .filter(document -> document.isObject())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The one document of that kind. */
    static JsonNode only(Run rendered, String kind) {
        List<JsonNode> found = documents(rendered).stream()
                .filter(document -> document.path("kind").asText().equals(kind))
                .toList();
        if (found.size() != 1) {
            throw new AssertionError(found.size() + " documents of kind " + kind + " in\n" + rendered.output());
        }
        return found.get(0);
    }
}
