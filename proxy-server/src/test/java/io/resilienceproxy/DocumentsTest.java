package io.resilienceproxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.config.LoadResult;
import io.resilienceproxy.config.PolicyLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the documents point at exists: files, classes, commands. */
class DocumentsTest {

    private static final Path ROOT = Path.of("..");
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]+]\\((?!https?:)([^)#]+)[^)]*\\)");
    private static final Pattern YAML = Pattern.compile("(?s)```yaml\\n(.*?)```");
    private static final Pattern CLASS = Pattern.compile("`([A-Z][a-z][A-Za-z0-9]+)(?:\\.[A-Za-z]+)?`");

    /** Words in capitals that are no classes of the project. */
    private static final List<String> OTHERS =
            List.of("ByteBuf", "Date", "Host", "Proxy-Status", "Retry-After", "TestProxy");

    @Test
    void everyLinkBetweenDocumentsResolves() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path document : documents()) {
            LINK.matcher(Files.readString(document))
                    .results()
                    .map(link -> document.resolveSibling(link.group(1)))
                    .filter(target -> !Files.exists(target))
                    .forEach(target -> broken.add(document + " -> " + target));
        }

        assertThat(broken).isEmpty();
    }

    @Test
    void everyDocumentIsReachableFromTheReadme() throws IOException {
        String readme = Files.readString(ROOT.resolve("README.md"));

        assertThat(documents())
                .extracting(document -> ROOT.relativize(document).toString())
                .filteredOn(name -> !name.equals("README.md"))
                .allSatisfy(name -> assertThat(readme).contains("(" + name + ")"));
    }

    @Test
    void everyClassOfTheArchitecturePageExists() throws IOException {
        List<String> sources = sources();

        assertThat(CLASS.matcher(Files.readString(ROOT.resolve("docs/architecture.md")))
                        .results()
                        .map(name -> name.group(1))
                        .filter(name -> !OTHERS.contains(name))
                        .distinct())
                .isNotEmpty()
                .allMatch(name -> sources.contains(name + ".java"));
    }

    @Test
    void thePolicyOfTheReadmeIsValid() throws IOException {
        var block = YAML.matcher(Files.readString(ROOT.resolve("README.md")));

        assertThat(block.find()).isTrue();
        LoadResult result = new PolicyLoader(name -> null).parse("README.md", block.group(1));
        assertThat(result.problems()).isEmpty();
    }

    /** CI runs what the README tells people to run. */
    @Test
    void theTestCommandIsTheOneThatCiRuns() throws IOException {
        String command = "mvn -B verify";

        assertThat(Files.readString(ROOT.resolve("README.md"))).contains("```sh\n" + command + "\n```");
        assertThat(Files.readString(ROOT.resolve(".ci/run"))).containsPattern("(?m)^CI=true .*" + command + "$");
    }

    private static List<Path> documents() throws IOException {
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            return Stream.concat(top, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .toList();
        }
    }

    private static List<String> sources() throws IOException {
        List<String> names = new ArrayList<>();
        for (String module : List.of("proxy-core", "proxy-server")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src"))) {
                files.map(file -> file.getFileName().toString()).forEach(names::add);
            }
        }
        return names;
    }
}
