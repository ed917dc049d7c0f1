package io.resilienceproxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.policy.Policy;
import io.resilienceproxy.policy.RoutePolicy;
import io.resilienceproxy.policy.RoutePolicy.Protection;
import io.resilienceproxy.policy.Timeouts;
import io.resilienceproxy.policy.UpstreamPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ExampleFilesTest {

    static final Path CONFIG = Path.of("..", "config");

    private static Policy load(String file, Map<String, String> environment) {
        LoadResult result = new PolicyLoader(environment::get).load(CONFIG.resolve(file));
        assertThat(result.problems()).isEmpty();
        return Objects.requireNonNull(result.policy());
    }

    @Test
    void quickstartLoadsWithoutProblems() {
        UpstreamPolicy backend = load("quickstart.yaml", Map.of()).upstreams().get(0);

        assertThat(backend.name()).isEqualTo("backend");
        assertThat(backend.url()).hasToString("http://localhost:9000");
        assertThat(backend.defaultRoute().timeouts()).isEqualTo(Timeouts.DEFAULT);
    }

    @Test
    void exampleLoadsWithoutProblems() {
        Policy policy = load("example.yaml", Map.of());

        assertThat(policy.upstreams())
                .extracting(UpstreamPolicy::name)
                .containsExactly("payment", "insurance", "rates");
        RoutePolicy reports = policy.upstreams().get(0).routes().get(0);
        assertThat(reports.timeouts().read()).isEqualTo(Duration.ofSeconds(50));
        assertThat(reports.own()).containsExactlyInAnyOrder(Protection.BULKHEAD, Protection.CIRCUIT_BREAKER);
    }

    @Test
    void exampleTakesValuesFromTheEnvironment() {
        Policy policy = load("example.yaml", Map.of("LISTEN_PORT", "8999", "PAYMENT_URL", "http://other"));

        assertThat(policy.listen().port()).isEqualTo(8999);
        assertThat(policy.upstreams().get(0).url()).hasToString("http://other");
    }

    @Test
    void exampleShowsEveryKeyOfTheFormat() throws IOException {
        String example = Files.readString(CONFIG.resolve("example.yaml"));

        assertThat(keysMissingFrom(example, Format.POLICY)).isEmpty();
    }

    private static String keysMissingFrom(String text, Shape shape) {
        StringBuilder missing = new StringBuilder();
        if (shape instanceof Shape.Fields fields) {
            fields.known().forEach((key, part) -> {
                Matcher written = Pattern.compile("\\b" + key + ":").matcher(text);
                missing.append(written.find() ? "" : key + " ").append(keysMissingFrom(text, part));
            });
        } else if (shape instanceof Shape.Named named) {
            missing.append(keysMissingFrom(text, named.each()));
        } else if (shape instanceof Shape.ListOf list) {
            missing.append(keysMissingFrom(text, list.item()));
        }
        return missing.toString();
    }
}
