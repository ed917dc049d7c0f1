package io.resilienceproxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The launcher and the class-data archives beside the jar, as {@code mvn package} makes them. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the launcher is a shell script")
class LauncherIT {

    private static final Path TARGET = Path.of("target").toAbsolutePath();
    private static final String ARCHIVE = "resilience-proxy.jsa";

    @TempDir
    private Path directory;

    private Path policy;

    @BeforeEach
    void writePolicy() throws IOException {
        writePolicy("http");
    }

    private void writePolicy(String scheme) throws IOException {
        policy = Files.writeString(directory.resolve("policy.yaml"), """
                listen: {port: 0}
                admin: {port: 0}
                shutdown: {quiet-period: 0ms}
                upstreams: {up: {url: '%s://127.0.0.1:1'}}
                """.formatted(scheme));
    }

    /** Under {@code -Xshare:on} the virtual machine ends where the archive does not fit. */
    @ParameterizedTest
    @ValueSource(strings = {"http", "https"})
    void theArchiveFitsTheJarAndTheJdkThatBuiltIt(String scheme) throws Exception {
        writePolicy(scheme);
        assertThat(validate(TARGET, "-Xshare:on")).isEqualTo(policy + ": valid, 0 errors, 0 warnings\n");
    }

    @Test
    void withoutTheArchiveOrWithOneOfAnotherJarItStartsAllTheSameAndSaysNothing() throws Exception {
        Path home = Files.createDirectories(directory.resolve("with some spaces"));
        for (String file : List.of("resilience-proxy", "jvm.options", "resilience-proxy.jar", ARCHIVE)) {
            Files.copy(TARGET.resolve(file), home.resolve(file));
        }
        assertThat(home.resolve("resilience-proxy").toFile().setExecutable(true))
                .isTrue();

        assertThat(validate(home, "")).isEqualTo(policy + ": valid, 0 errors, 0 warnings\n");
        Files.delete(home.resolve(ARCHIVE));
        assertThat(validate(home, "")).isEqualTo(policy + ": valid, 0 errors, 0 warnings\n");
    }

    @Test
    void aStartSaysNothingButItsOwnLines() throws Exception {
        assertThat(launch(TARGET, "", "run", "--exit-after-warm-up", "--config", policy.toString())
                        .lines())
                .isNotEmpty()
                .allMatch(line -> line.matches("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z (INFO |WARN ) \\S+ .*"));
    }

    /** What a start takes from elsewhere, or makes on the way, costs ten times what a class of the archive does. */
    @ParameterizedTest
    @ValueSource(strings = {"http", "https"})
    void aStartTakesNearlyAllItsClassesFromTheArchive(String scheme) throws Exception {
        writePolicy(scheme);
        Path log = directory.resolve("classes.log");

        launch(TARGET, "-Xlog:class+load:file=" + log, "run", "--config", policy.toString(), "--exit-after-warm-up");

        List<String> loaded = Files.readAllLines(log).stream()
                .filter(line -> line.contains(" source: "))
                .toList();
        List<String> strange = loaded.stream()
                .filter(line -> !line.contains("source: shared objects file"))
                .toList();
        assertThat(strange).as(String.join("\n", strange)).hasSizeLessThan(loaded.size() / 40);
        assertThat(loaded).noneMatch(line -> line.contains(" picocli.CommandLine source"));
    }

    private String validate(Path home, String options) throws IOException, InterruptedException {
        return launch(home, options, "validate", policy.toString());
    }

    private String launch(Path home, String options, String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(home.resolve("resilience-proxy").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("JAVA_OPTS", options);
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }
}
