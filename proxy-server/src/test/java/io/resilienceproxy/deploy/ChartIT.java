package io.resilienceproxy.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.resilienceproxy.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** What Helm renders of the charts, held against Kubernetes' schemas and against what the proxy itself says of its policy. */
class ChartIT {

    private static final String JAR = "proxy-server/target/resilience-proxy.jar";

    private static final List<String> VALUES =
            List.of("values.yaml", "ci/container.yaml", "ci/job.yaml", "ci/monitoring.yaml", "ci/full.yaml");

    @TempDir
    private static Path directory;

    private static Charts charts;

    @BeforeAll
    static void gather() {
        charts = Charts.in(directory.resolve("helm"));
    }

    @Test
    void helmFindsNothingToSay() {
        charts.helm("lint", "--strict", "resilience-proxy").orFail();
        for (String values : VALUES) {
            charts.helm("lint", "--strict", "example", "--values", "example/" + values)
                    .orFail();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "values.yaml, 1.29.0",
        "values.yaml, 1.37.0",
        "ci/container.yaml, 1.27.0",
        "ci/container.yaml, 1.37.0",
        "ci/job.yaml, 1.29.0",
        "ci/monitoring.yaml, 1.37.0",
        "ci/full.yaml, 1.37.0",
    })
    void everyDocumentIsOneThatKubernetesTakes(String values, String kubernetes) throws IOException {
        String schemas = schemas();
        Run rendered = template(values, kubernetes).orFail();
        Path file =
                Files.writeString(directory.resolve(kubernetes + '-' + values.replace('/', '-')), rendered.output());

        Run checked = Run.of(
                Run.need("kubeconform", "go install github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0"),
                "-strict",
                "-summary",
                "-kubernetes-version",
                kubernetes,
                "-schema-location",
                schemas + "/{{.NormalizedKubernetesVersion}}/{{.ResourceKind}}{{.KindSuffix}}.json",
                "-schema-location",
                schemas + "/crds/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json",
                file.toString());

        assertThat(checked.orFail().output())
                .contains("Valid: " + Charts.documents(rendered).size() + ", Invalid: 0, Errors: 0, Skipped: 0");
    }

    @ParameterizedTest
    @FieldSource("VALUES")
    void thePolicyPassesItsOwnValidation(String values) throws IOException {
        JsonNode map = Charts.only(template(values, "1.37.0"), "ConfigMap");
        String policy = map.at("/data/policy.yaml").asText();
        Path file = Files.writeString(directory.resolve("policy.yaml"), policy);

        Run validated = Run.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                JAR,
                "validate",
                "--strict",
                file.toString());

        assertThat(validated.orFail().output()).contains("valid, 0 errors, 0 warnings");
        assertThat(policy).contains("host: 0.0.0.0");
    }

    @Test
    void aNativeSidecarComesBeforeEverythingOfTheApplication() {
        JsonNode pod = pod(template("values.yaml", "1.29.0"), "Deployment");

        assertThat(names(pod.path("initContainers"))).containsExactly("resilience-proxy", "migrate");
        assertThat(names(pod.path("containers"))).containsExactly("shop");
        JsonNode proxy = pod.at("/initContainers/0");
        assertThat(proxy.path("restartPolicy").asText()).isEqualTo("Always");
        assertThat(proxy.at("/startupProbe/httpGet/path").asText()).isEqualTo("/readyz");
        assertThat(proxy.at("/livenessProbe/httpGet/path").asText()).isEqualTo("/livez");
        assertThat(proxy.at("/ports/0/containerPort").asInt()).isEqualTo(9480);
        assertThat(proxy.path("ports")).hasSize(1);
        assertThat(proxy.at("/securityContext/readOnlyRootFilesystem").asBoolean())
                .isTrue();
        assertThat(proxy.at("/securityContext/runAsUser").asInt()).isEqualTo(65532);
        assertThat(proxy.at("/resources/limits").has("cpu")).isFalse();
        assertThat(pod.path("terminationGracePeriodSeconds").asInt()).isEqualTo(60);
    }

    @Test
    void thePolicyIsMountedAsADirectoryBesideTheVolumesOfTheApplication() {
        Run rendered = template("values.yaml", "1.37.0");
        JsonNode pod = pod(rendered, "Deployment");
        String name = Charts.only(rendered, "ConfigMap").at("/metadata/name").asText();

        assertThat(names(pod.path("volumes"))).containsExactly("cache", "resilience-proxy-policy");
        assertThat(pod.at("/volumes/1/configMap/name").asText()).isEqualTo(name);
        JsonNode mount = pod.at("/initContainers/0/volumeMounts/0");
        assertThat(mount.path("mountPath").asText()).isEqualTo("/etc/resilience-proxy");
        assertThat(rendered.output()).doesNotContain("subPath");
        assertThat(pod.at("/initContainers/0/args"))
                .extracting(JsonNode::asText)
                .containsExactly("run", "--config", "/etc/resilience-proxy/policy.yaml");
    }

    @Test
    void aPlainContainerIsTheFirstAndHoldsTheOthersUpUntilItIsReady() {
        Run rendered = template("ci/container.yaml", "1.27.0");
        JsonNode pod = pod(rendered, "Deployment");

        assertThat(names(pod.path("containers"))).containsExactly("resilience-proxy", "shop");
        assertThat(names(pod.path("initContainers"))).containsExactly("migrate");
        JsonNode proxy = pod.at("/containers/0");
        assertThat(proxy.has("restartPolicy")).isFalse();
        assertThat(proxy.at("/lifecycle/postStart/exec/command"))
                .extracting(JsonNode::asText)
                .contains("ping", "--admin=127.0.0.1:9480", "--wait=30s");
        assertThat(Charts.only(rendered, "ConfigMap").at("/data/policy.yaml").asText())
                .contains("quiet-period: 10s");
    }

    @Test
    void aJobHasItsProxyAsANativeSidecarToo() {
        JsonNode pod = pod(template("ci/job.yaml", "1.29.0"), "Job");

        assertThat(pod.path("restartPolicy").asText()).isEqualTo("Never");
        assertThat(pod.at("/initContainers/0/restartPolicy").asText()).isEqualTo("Always");
    }

    @Test
    void everyOtherValueIsWhereItBelongs() {
        Run rendered = template("ci/full.yaml", "1.37.0");
        JsonNode pod = pod(rendered, "Deployment");
        JsonNode proxy = pod.at("/initContainers/0");

        assertThat(proxy.path("image").asText()).startsWith("registry.example/resilience-proxy@sha256:0123");
        assertThat(names(proxy.path("env"))).containsExactly("_JAVA_OPTIONS", "PAY_TOKEN_HOST");
        assertThat(proxy.at("/env/0/value").asText()).isEqualTo("-Xmx64m -XX:MaxDirectMemorySize=64m");
        assertThat(proxy.at("/envFrom/0/configMapRef/name").asText()).isEqualTo("proxy-environment");
        assertThat(proxy.at("/ports/0/containerPort").asInt()).isEqualTo(9600);
        assertThat(proxy.at("/securityContext/runAsUser").asLong()).isEqualTo(1_000_660_000L);
        assertThat(proxy.at("/securityContext/allowPrivilegeEscalation").asBoolean(true))
                .isFalse();
        assertThat(proxy.at("/volumeMounts/1/mountPath").asText()).isEqualTo("/etc/pay-ca");
        assertThat(names(pod.path("volumes"))).containsExactly("cache", "resilience-proxy-policy", "pay-ca");
        assertThat(pod.path("terminationGracePeriodSeconds").asInt()).isEqualTo(90);
    }

    @Test
    void thePodMonitorFindsThePodsAndTheRuleHasTheAlertsAsTheyAre() throws IOException {
        Run rendered = template("ci/monitoring.yaml", "1.37.0");
        JsonNode monitor = Charts.only(rendered, "PodMonitor");
        JsonNode labels = Charts.only(rendered, "Deployment").at("/spec/template/metadata/labels");

        assertThat(monitor.at("/spec/selector/matchLabels")).isEqualTo(labels);
        assertThat(monitor.at("/spec/podMetricsEndpoints/0/port").asText()).isEqualTo("proxy-admin");
        assertThat(monitor.at("/metadata/labels/release").asText()).isEqualTo("prometheus");
        assertThat(Charts.only(rendered, "PrometheusRule").at("/spec/groups"))
                .isEqualTo(Alerts.file().path("groups"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --set=resilience-proxy.policy.upstreams.pay.tiemouts.read=10s | additional properties 'tiemouts' not allowed
            --set=resilience-proxy.policy.upstreams.pay.timeouts.read=10  | at '/policy/upstreams/pay/timeouts/read'
            --set=resilience-proxy.policy.logging.access=false            | at '/policy/logging/access'
            --set=resilience-proxy.mod=sidecar                            | additional properties 'mod' not allowed
            --set=resilience-proxy.mode=daemon                            | at '/mode'
            --set=resilience-proxy.policy.upstreams=null                  | at '/policy/upstreams': got null
            --set=resilience-proxy.jvmOptions[0]=Xmx64m                   | at '/jvmOptions/0'
            """)
    void aValueThatIsNoneIsRefusedAndNamed(String setting, String message) {
        Run rendered = charts.template("1.37.0", setting);

        assertThat(rendered.exitCode()).isNotZero();
        assertThat(rendered.output()).contains(message);
    }

    @Test
    void aNativeSidecarIsRefusedWhereTheClusterKnowsNone() {
        Run rendered = charts.template("1.28.9");

        assertThat(rendered.exitCode()).isNotZero();
        assertThat(rendered.output())
                .contains(
                        "resilience-proxy.mode: sidecar (expected: container, because native sidecars begin with Kubernetes 1.29");
    }

    private static Run template(String values, String kubernetes) {
        return charts.template(kubernetes, "--values", "example/" + values);
    }

    private static JsonNode pod(Run rendered, String kind) {
        return Charts.only(rendered, kind).at("/spec/template/spec");
    }

    private static List<String> names(JsonNode items) {
        List<String> names = new ArrayList<>();
        items.forEach(item -> names.add(item.path("name").asText()));
        return names;
    }

    static String schemas() {
        String schemas = System.getenv("DEPLOY_SCHEMAS");
        if (schemas == null) {
            throw Requirement.missing("DEPLOY_SCHEMAS does not name a directory that helm/schemas.sh filled");
        }
        return schemas;
    }
}
