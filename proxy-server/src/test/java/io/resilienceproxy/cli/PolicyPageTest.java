package io.resilienceproxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.config.LoadResult;
import io.resilienceproxy.config.PolicyLoader;
import io.resilienceproxy.time.Clock;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PolicyPageTest {

    private static final String POLICY = "listen: {port: 0}\nadmin: {port: 0}\nupstreams: {up: {url: \"${URL}\"}}\n";

    private final LoadResult result =
            new PolicyLoader(Map.of("URL", "http://127.0.0.1:1/hush")::get).parse("test.yaml", POLICY);

    private static HttpResponse<String> get(Proxy proxy) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + proxy.adminPort() + "/policy");
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    @Test
    void showsThePolicyInEffectWithSecretsMasked() throws Exception {
        try (Proxy proxy = RunCommand.start(Objects.requireNonNull(result.policy()), "hash", List.of())) {
            PolicyReloads.explain(proxy, result);
            HttpResponse<String> page = get(proxy);

            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.headers().firstValue("Content-Type")).contains("text/yaml; charset=utf-8");
            assertThat(page.body())
                    .isEqualTo(Objects.requireNonNull(result.explanation()).text())
                    .contains("url: \"http://127.0.0.1:1/***\"")
                    .doesNotContain("hush");
        }
    }

    @Test
    void isAbsentWhereNothingExplainsThePolicy() throws Exception {
        try (Proxy proxy = Proxy.start(Objects.requireNonNull(result.policy()), Clock.SYSTEM)) {
            assertThat(get(proxy).statusCode()).isEqualTo(404);
        }
    }
}
