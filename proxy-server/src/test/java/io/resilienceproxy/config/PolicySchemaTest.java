package io.resilienceproxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PolicySchemaTest {

    private static final Path FILE = ExampleFilesTest.CONFIG.resolve("policy.schema.json");
    private static final String REGENERATE = "mvn -pl proxy-server -am test -Dtest='*SchemaTest' -Dschema.write=true"
            + " -Dsurefire.failIfNoSpecifiedTests=false";

    private static final YAMLMapper YAML = new YAMLMapper();
    private static final Schema SCHEMA = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(PolicySchema.text(), InputFormat.JSON);

    /** What an editor would underline. */
    static List<Error> errors(String yaml) throws IOException {
        return SCHEMA.validate(YAML.readTree(yaml));
    }

    @Test
    void theFileSaysWhatTheCodeSays() throws IOException {
        if (Boolean.getBoolean("schema.write")) {
            Files.writeString(FILE, PolicySchema.text());
        }
        assertThat(Files.exists(FILE) ? Files.readString(FILE) : "")
                .as("config/policy.schema.json is out of date; to write it anew: %s", REGENERATE)
                .isEqualTo(PolicySchema.text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"example.yaml", "quickstart.yaml"})
    void examplesNameItAndAreValid(String file) throws IOException {
        String text = Files.readString(ExampleFilesTest.CONFIG.resolve(file));

        assertThat(text).startsWith("# yaml-language-server: $schema=policy.schema.json\n");
        assertThat(errors(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "listen: {port: \"8480\"}",
                "listen: {port: \"${PORT:8480}\"}",
                "threads: \"${THREADS}\"",
                "defaults: {timeouts: {read: \"${READ}\"}, retry: {budget: {ratio: 0.125}}}",
                "logging: {access: \"${ACCESS:errors}\"}",
                "defaults: {retry: {retry-on: [429, \"503\", 5xx, \"${MORE}\"], exponential-backoff-multiplier: 1.5}}",
                "defaults: {circuit-breaker: {failure-statuses: [404, 5xx, 599]}}",
                "listen: {host: \"::1\"}",
                "defaults: {retry: {methods: []}, mode: observe}",
            })
    void whatTheLoaderTakesIsValid(String line) throws IOException {
        String yaml = line + "\nupstreams: {0: {url: http://a, routes: [{name: 1, path: /a, stream: \"true\"}]}}";

        assertThat(errors(yaml)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "liste: {port: 8480}",
                "listen: {port: 70000}",
                "listen: 8480",
                "threads: 0",
                "threads: 1.5",
                "threads: 010x",
                "limits: {header-timeout: 10}",
                "limits: {header-timeout: 10sec}",
                "limits: {max-header-size: 16KB}",
                "logging: {level: info}",
                "defaults: {url: http://a}",
                "defaults: {timeouts: {read: 2.5s}}",
                "defaults: {timeouts: {raed: 2s}}",
                "defaults: {mode: watch}",
                "defaults: {retry: {retry-on: [404]}}",
                "defaults: {retry: {retry-on: 5xx}}",
                "defaults: {retry: {max-attempts: 6}}",
                "defaults: {retry: {exponential-backoff-multiplier: 1}}",
                "defaults: {retry: {methods: [get]}}",
                "defaults: {retry: {budget: {ratio: 1.1}}}",
                "defaults: {circuit-breaker: {minimum-number-of-calls: 1}}",
                "defaults: {circuit-breaker: {failure-statuses: [600]}}",
                "upstreams: {}",
                "upstreams: {a b: {url: http://a}}",
                "upstreams: {a: {}}",
                "upstreams: {a: {url: ftp://a}}",
                "upstreams: {a: {url: http://u@a}}",
                "upstreams: {a: {url: http://a, routes: [{path: /a}]}}",
                "upstreams: {a: {url: http://a, routes: [{name: a, path: a}]}}",
                "upstreams: {a: {url: http://a, routes: [{name: a, path: /a, pool: {}}]}}",
            })
    void whatTheLoaderRefusesInOneValueIsNot(String line) throws IOException {
        String yaml = line.startsWith("upstreams") ? line : line + "\nupstreams: {a: {url: http://a}}";

        assertThat(Loading.load(yaml).policy()).isNull();
        assertThat(errors(yaml)).isNotEmpty();
    }

    @Test
    void upstreamsAreRequired() throws IOException {
        assertThat(errors("threads: 1")).isNotEmpty();
    }
}
