package io.resilienceproxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The chart takes the policy as values, and Helm checks them by the same schema as an editor checks the file. */
class ChartSchemaTest {

    private static final Path FILE = Path.of("..", "helm", "resilience-proxy", "values.schema.json");
    private static final String REGENERATE = "mvn -pl proxy-server -am test -Dtest='*SchemaTest' -Dschema.write=true"
            + " -Dsurefire.failIfNoSpecifiedTests=false";

    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void theValuesNamedPolicyAreThePolicysOwnSchema() throws IOException {
        ObjectNode values = (ObjectNode) JSON.readTree(Files.readString(FILE));
        if (Boolean.getBoolean("schema.write")) {
            values.withObjectProperty("$defs").set("policy", policy());
            Files.writeString(FILE, PolicySchema.pretty(values));
        }

        assertThat(values.at("/properties/policy/$ref").asText()).isEqualTo("#/$defs/policy");
        assertThat(values.at("/$defs/policy"))
                .as("%s is out of date; to write it anew: %s", FILE, REGENERATE)
                .isEqualTo(policy());
    }

    /** A resource of its own within the other, so that its references mean what they meant. */
    private static ObjectNode policy() throws IOException {
        ObjectNode schema = JSON.createObjectNode().put("$id", "urn:resilience-proxy:policy");
        ObjectNode own = (ObjectNode) JSON.readTree(PolicySchema.text());
        own.remove("$schema");
        return schema.setAll(own);
    }
}
