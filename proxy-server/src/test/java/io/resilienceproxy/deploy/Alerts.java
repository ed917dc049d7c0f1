package io.resilienceproxy.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The alert rules that charts, laptop and documents share. */
final class Alerts {

    static final Path FILE = Run.ROOT.resolve("helm/resilience-proxy/files/alerts.yaml");

    private Alerts() {}

    static JsonNode file() throws IOException {
        return new YAMLMapper().readTree(Files.readString(FILE));
    }

    static List<JsonNode> all() throws IOException {
        List<JsonNode> rules = new ArrayList<>();
        file().path("groups").forEach(group -> group.path("rules").forEach(rules::add));
        return rules;
    }
}
