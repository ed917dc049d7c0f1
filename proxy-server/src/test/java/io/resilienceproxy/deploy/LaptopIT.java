package io.resilienceproxy.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The composition for a laptop and its drill, as far as they go without Docker. */
class LaptopIT {

    private static final Path DOCKER = Run.ROOT.resolve("docker");
    private static final String GET_TOXIPROXY =
            "go install github.com/Shopify/toxiproxy/v2/cmd/server@v2.12.0, renamed to toxiproxy-server";

    @Test
    void theDrillSeesEveryProtectionFire() {
        Path toxiproxy = Path.of(Run.need("toxiproxy-server", GET_TOXIPROXY));
        Run.need("curl", "apt-get install curl");
        Run.need("python3", "apt-get install python3");
        String path = toxiproxy.getParent() + ":" + System.getenv("PATH");

        Run drill = Run.of(
                Map.of("PATH", path, "JAVA_HOME", System.getProperty("java.home")), "docker/drill.sh", "--local");

        assertThat(drill.orFail().output())
                .contains("503 circuit-open not-sent", "504 read-timeout unknown", "503 bulkhead-full not-sent")
                .endsWith("That was the drill.\n");
    }

    @Test
    void theCompositionIsOneThatComposeTakes() throws IOException {
        ObjectNode rules = (ObjectNode)
                new ObjectMapper().readTree(Files.readString(Path.of(ChartIT.schemas(), "compose-spec.json")));
        // A file name, which this validator does not take for an identifier.
        rules.remove("$id");
        Schema schema =
                SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7).getSchema(rules);
        ObjectNode compose = (ObjectNode) new YAMLMapper().readTree(Files.readString(DOCKER.resolve("compose.yaml")));

        assertThat(schema.validate(compose)).isEmpty();
        ((ObjectNode) compose.at("/services/proxy")).put("read_onyl", true);
        assertThat(schema.validate(compose)).isNotEmpty();
    }

    @Test
    void everyFileThatIsMountedExistsAndEveryPortIsOnTheLoopbackAddress() throws IOException {
        JsonNode services = new YAMLMapper()
                .readTree(Files.readString(DOCKER.resolve("compose.yaml")))
                .path("services");

        assertThat(services).hasSize(5);
        for (JsonNode service : services) {
            for (JsonNode volume : service.path("volumes")) {
                assertThat(DOCKER.resolve(volume.asText().split(":")[0])).exists();
            }
            for (JsonNode port : service.path("ports")) {
                assertThat(port.asText()).startsWith("127.0.0.1:");
            }
        }
    }

    @Test
    void prometheusTakesItsConfigurationAndRules() throws IOException {
        String promtool = Run.need("promtool", "apt-get install prometheus");
        JsonNode config = new YAMLMapper().readTree(Files.readString(DOCKER.resolve("laptop/prometheus.yml")));

        Run.of(promtool, "check", "config", "--syntax-only", "docker/laptop/prometheus.yml")
                .orFail();
        assertThat(Files.readString(DOCKER.resolve("compose.yaml")))
                .contains("alerts.yaml:" + config.at("/rule_files/0").asText() + ":ro");
    }
}
