package io.resilienceproxy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.pkitesting.X509Bundle;
import io.resilienceproxy.testkit.FreePort;
import io.resilienceproxy.testkit.Nginx;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.TestAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** TLS in the packaged program, within a sidecar's memory, and nothing of it where no upstream needs it. */
class TlsProcessIT {

    private static final int CALLERS = 64;
    private static final int ROUNDS = 5;

    @TempDir
    private Path directory;

    private final int port = FreePort.find();

    private Path policy(String upstream) throws IOException {
        return Files.writeString(directory.resolve("policy.yaml"), """
                listen: {port: %d}
                admin: {port: %d}
                defaults:
                  timeouts: {connect: 5s, read: 10s, call: 60s}
                  pool: {max-connections: 80}
                  bulkhead: {max-concurrent-calls: 64, max-wait-duration: 0ms}
                upstreams:
                  up: {%s}
                """.formatted(port, FreePort.find(), upstream));
    }

    @ParameterizedTest
    @CsvSource({"auto, boringssl", "jdk, jdk"})
    void sixtyFourConnectionsFitIntoASidecarsMemory(String asked, String provider) throws IOException {
        TestAuthority authority = TestAuthority.create();
        X509Bundle server = authority.server("127.0.0.1");
        int secured = FreePort.find();
        String listen = "listen 127.0.0.1:" + secured + " ssl;\nssl_certificate "
                + TestAuthority.writeCertificate(server, directory.resolve("s.pem")) + ";\nssl_certificate_key "
                + TestAuthority.writeKey(server, directory.resolve("s.key")) + ";\n";
        Path policy = policy(
                "url: 'https://127.0.0.1:" + secured + "', tls: {ca-file: '" + authority.writeRoot(directory) + "'}");
        List<String> small = List.of(
                "@" + Path.of("src/main/launcher/jvm.options").toAbsolutePath(),
                "-Dresilience-proxy.tls-provider=" + asked);
        try (Nginx nginx = Nginx.start(directory, listen);
                ProxyProcess proxy = ProxyProcess.startWith(small, directory, "run", "--config", policy.toString())) {
            assertThat(proxy.awaitOutput("serving")).contains("tls: provider=" + provider + " ");
            int before = nginx.acceptedConnections();
            askTogether();

            assertThat(nginx.acceptedConnections() - before)
                    .as("they were open at once")
                    .isGreaterThan(CALLERS / 2);
            assertThat(proxy.out() + proxy.err()).doesNotContain("OutOfMemory").doesNotContain("OutOfDirectMemory");
        }
    }

    /** Each caller has sent before the first one reads. */
    private void askTogether() {
        List<RawClient> callers = new ArrayList<>();
        try {
            for (int i = 0; i < CALLERS; i++) {
                callers.add(RawClient.connect(port).patience(Duration.ofMinutes(1)));
            }
            for (int round = 0; round < ROUNDS; round++) {
                callers.forEach(caller -> caller.sendRequest("GET", "/up/64k", "localhost"));
                for (RawClient caller : callers) {
                    RawResponse response = caller.readFinalResponse("GET");
                    assertThat(response.status()).as(response.toString()).isEqualTo(200);
                    assertThat(response.body()).hasSize(65536);
                }
            }
        } finally {
            callers.forEach(RawClient::close);
        }
    }

    @Test
    void aProcessWithoutHttpsLoadsNoTls() throws IOException {
        Path classes = directory.resolve("classes");
        Path policy = policy("url: 'http://127.0.0.1:1', retry: {max-attempts: 1}");
        List<String> options = List.of("-Xlog:class+load:file=" + classes);
        try (ProxyProcess proxy = ProxyProcess.startWith(options, directory, "run", "--config", policy.toString())) {
            proxy.awaitOutput("serving");
            try (RawClient client = RawClient.connect(port)) {
                assertThat(client.get("/up/a", "localhost").status()).isEqualTo(502);
            }
            assertThat(Files.readString(classes))
                    .contains("io.resilienceproxy.pool.Http1Connection")
                    .doesNotContain("io.netty.handler.ssl.")
                    .doesNotContain("io.netty.internal.tcnative.")
                    .doesNotContain("io.resilienceproxy.tls.TlsContexts")
                    .doesNotContain("io.resilienceproxy.pem.PemFile");
        }
    }
}
