package io.resilienceproxy.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The alert rules name what the proxy measures, and Prometheus' own tool runs them. */
class AlertsTest {

    private static final String GET_PROMTOOL = "apt-get install prometheus";
    private static final Pattern SERIES = Pattern.compile("resilience_proxy_[a-z_]+");
    private static final Pattern DOCUMENTED = Pattern.compile("(?m)^\\| `(resilience_proxy_[a-z_]+)` \\| (\\w+) \\|");

    @Test
    void everySeriesOfARuleIsOneThatTheProxyHas() throws IOException {
        Set<String> known = new TreeSet<>();
        DOCUMENTED
                .matcher(Files.readString(Run.ROOT.resolve("docs/metrics.md")))
                .results()
                .forEach(row -> {
                    known.add(row.group(1));
                    if (row.group(2).equals("histogram")) {
                        known.add(row.group(1) + "_count");
                        known.add(row.group(1) + "_sum");
                        known.add(row.group(1) + "_bucket");
                    }
                });

        for (JsonNode rule : Alerts.all()) {
            assertThat(SERIES.matcher(rule.path("expr").asText()).results().map(series -> series.group()))
                    .as(rule.path("alert").asText())
                    .isNotEmpty()
                    .allMatch(known::contains, "is a row of docs/metrics.md");
        }
    }

    @Test
    void everyAlertIsHeldForMinutesAndHasATest() throws IOException {
        String tests = Files.readString(Run.ROOT.resolve("helm/tests/alerts.yaml"));
        for (JsonNode rule : Alerts.all()) {
            assertThat(rule.path("for").asText()).matches("[2-9]m");
            assertThat(tests).contains("alertname: " + rule.path("alert").asText());
        }
        assertThat(new YAMLMapper().readTree(tests).path("tests"))
                .hasSizeGreaterThan(Alerts.all().size());
    }

    @Test
    void promtoolFindsThemInOrderAndSeesEachOneFire() {
        String promtool = Run.need("promtool", GET_PROMTOOL);
        assertThat(Run.of(promtool, "check", "rules", "--lint-fatal", Alerts.FILE.toString())
                        .orFail()
                        .output())
                .contains("SUCCESS");
        assertThat(Run.of(promtool, "test", "rules", "helm/tests/alerts.yaml")
                        .orFail()
                        .output())
                .contains("SUCCESS");
    }
}
