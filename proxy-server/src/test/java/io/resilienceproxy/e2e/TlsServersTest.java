package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.pkitesting.CertificateBuilder.Algorithm;
import io.netty.pkitesting.X509Bundle;
import io.resilienceproxy.testkit.FreePort;
import io.resilienceproxy.testkit.Nginx;
import io.resilienceproxy.testkit.OpenSslServer;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.TestAuthority;
import io.resilienceproxy.testkit.TestProxy;
import io.resilienceproxy.tls.TlsProvider;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Somebody else's TLS: nginx and openssl s_server. */
class TlsServersTest {

    private static final String ONE_ATTEMPT = "retry: {max-attempts: 1}";

    @TempDir
    private Path directory;

    private final TestAuthority authority = TestAuthority.create();
    private String trusting;

    @BeforeEach
    void writeRoot() {
        trusting = "tls: {ca-file: " + authority.writeRoot(directory) + "}";
    }

    private String with(String more) {
        return trusting.replace("}", ", " + more + "}");
    }

    private String mutual(X509Bundle own) {
        return with("cert-file: " + TestAuthority.writeCertificate(own, directory.resolve("c.pem")) + ", key-file: "
                + TestAuthority.writeKey(own, directory.resolve("c.key")));
    }

    /** With {@code /tls}, which answers what nginx knows about the connection. */
    private Nginx nginx(int port, String... directives) {
        X509Bundle server = authority.server("127.0.0.1", "pay.test", "pay");
        return Nginx.start(
                directory,
                "listen 127.0.0.1:" + port + " ssl;\nssl_certificate "
                        + TestAuthority.writeCertificate(server, directory.resolve("s.pem")) + ";\nssl_certificate_key "
                        + TestAuthority.writeKey(server, directory.resolve("s.key")) + ";\n"
                        + "location = /tls { return 200 \"$ssl_protocol reused=$ssl_session_reused"
                        + " name=$ssl_server_name client=$ssl_client_verify\"; }\n" + String.join("\n", directives));
    }

    @ParameterizedTest
    @CsvSource({"BORINGSSL, TLSv1.3", "BORINGSSL, TLSv1.2", "JDK, TLSv1.3", "JDK, TLSv1.2"})
    void theSecondConnectionToNginxResumesTheSession(TlsProvider provider, String version) {
        int port = FreePort.find();
        // A connection for each request, so that there is a second one.
        try (Nginx nginx = nginx(
                        port,
                        "ssl_protocols " + version + ";",
                        "ssl_session_cache shared:s:1m;",
                        "keepalive_timeout 0;");
                TestProxy proxy = TlsProxy.of(provider, "https://127.0.0.1:" + port, trusting);
                RawClient client = proxy.connect()) {
            assertThat(client.get("/up/tls", "localhost").bodyText())
                    .isEqualTo(version + " reused=. name= client=NONE");
            for (int i = 0; i < 5; i++) {
                assertThat(client.get("/up/tls", "localhost").bodyText())
                        .isEqualTo(version + " reused=r name= client=NONE");
            }
            assertThat(nginx.url()).isNotEmpty();
        }
    }

    /** The JDK by itself asks for no name without a dot; services of a cluster have such names. */
    @ParameterizedTest
    @CsvSource({"BORINGSSL, pay.test", "BORINGSSL, pay", "JDK, pay.test", "JDK, pay"})
    void nginxIsAskedForTheServerName(TlsProvider provider, String name) {
        int port = FreePort.find();
        try (Nginx nginx = nginx(port);
                TestProxy proxy = TlsProxy.of(provider, "https://127.0.0.1:" + port, with("server-name: " + name));
                RawClient client = proxy.connect()) {
            assertThat(client.get("/up/tls", "localhost").bodyText()).contains("name=" + name + " ");
            assertThat(nginx.url()).isNotEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"BORINGSSL, rsa2048", "BORINGSSL, ecp256", "JDK, rsa2048", "JDK, ecp256"})
    void nginxKnowsUsByOurCertificate(TlsProvider provider, Algorithm algorithm) {
        int port = FreePort.find();
        // An authority that did not issue our certificate: nginx says it knows no other, and verifies by the right one.
        Path foreign = TestAuthority.writeCertificate(TestAuthority.create().root(), directory.resolve("f.pem"));
        try (Nginx nginx = nginx(
                        port,
                        "ssl_verify_client on;",
                        "ssl_client_certificate " + foreign + ";",
                        "ssl_trusted_certificate " + directory.resolve("ca.pem") + ";");
                TestProxy proxy =
                        TlsProxy.of(provider, "https://127.0.0.1:" + port, mutual(authority.client(algorithm)));
                RawClient client = proxy.connect()) {
            assertThat(client.get("/up/tls", "localhost").bodyText()).endsWith("client=SUCCESS");
            assertThat(nginx.url()).isNotEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(TlsProvider.class)
    void largeAnswersOfNginxAreWhole(TlsProvider provider) {
        int port = FreePort.find();
        try (Nginx nginx = nginx(port);
                TestProxy proxy = TlsProxy.of(provider, "https://127.0.0.1:" + port, trusting);
                RawClient client = proxy.connect()) {
            int before = nginx.acceptedConnections();
            for (int i = 0; i < 20; i++) {
                assertThat(client.get("/up/64k", "localhost").body()).hasSize(65536);
            }
            // Ours for all of it, and the one that asks.
            assertThat(nginx.acceptedConnections()).isEqualTo(before + 2);
        }
    }

    @ParameterizedTest
    @CsvSource({"BORINGSSL, -tls1_3", "BORINGSSL, -tls1_2", "JDK, -tls1_3", "JDK, -tls1_2"})
    void pagesOfOpensslAreWholeAndItsSessionsResumed(TlsProvider provider, String version) {
        try (OpenSslServer server = OpenSslServer.start(directory, authority.server("127.0.0.1"), version);
                TestProxy proxy = TlsProxy.of(provider, server.url(), trusting, ONE_ATTEMPT);
                RawClient client = proxy.connect();
                RawClient other = proxy.connect()) {
            RawResponse first = client.get("/up/", "localhost");
            RawResponse second = other.get("/up/", "localhost");

            assertThat(first.complete()).isTrue();
            assertThat(first.bodyText()).contains("New, TLSv1." + version.charAt(6));
            assertThat(second.complete()).isTrue();
            assertThat(second.bodyText()).contains("Reused, TLSv1." + version.charAt(6));
        }
    }

    @ParameterizedTest
    @EnumSource(TlsProvider.class)
    void aServerOfTls11IsRefused(TlsProvider provider) {
        try (OpenSslServer server = OpenSslServer.start(
                        directory, authority.server("127.0.0.1"), "-tls1_1", "-cipher", "DEFAULT:@SECLEVEL=0");
                TestProxy proxy = TlsProxy.of(provider, server.url(), trusting, ONE_ATTEMPT);
                RawClient client = proxy.connect()) {
            Problem problem = Problem.of(client.get("/up/", "localhost"));

            assertThat(problem.reason()).isEqualTo("tls-alert");
            assertThat(problem.outcome()).isEqualTo("not-sent");
            assertThat(problem.error())
                    .isEqualTo("resilience-proxy; error=tls_alert_received; alert-id=70;"
                            + " alert-message=protocol_version");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "BORINGSSL, -tls1_3, 116, certificate_required",
        "BORINGSSL, -tls1_2, 40, handshake_failure",
        "JDK, -tls1_3, 116, certificate_required",
        "JDK, -tls1_2, 40, handshake_failure"
    })
    void opensslSaysWhatItMisses(TlsProvider provider, String version, int id, String message) {
        String ca = directory.resolve("ca.pem").toString();
        try (OpenSslServer server = OpenSslServer.start(
                        directory, authority.server("127.0.0.1"), version, "-Verify", "3", "-CAfile", ca);
                TestProxy proxy = TlsProxy.of(provider, server.url(), trusting, ONE_ATTEMPT);
                RawClient client = proxy.connect()) {
            Problem problem = Problem.of(client.get("/up/", "localhost"));

            assertThat(problem.error())
                    .isEqualTo("resilience-proxy; error=tls_alert_received; alert-id=" + id + "; alert-message="
                            + message);
            assertThat(problem.outcome()).isEqualTo(version.equals("-tls1_3") ? "unknown" : "not-sent");
        }
    }

    @ParameterizedTest
    @CsvSource({"BORINGSSL, -tls1_3", "BORINGSSL, -tls1_2", "JDK, -tls1_3", "JDK, -tls1_2"})
    void opensslRefusesTheCertificateOfAnotherAuthority(TlsProvider provider, String version) {
        String ca = directory.resolve("ca.pem").toString();
        String foreign = mutual(TestAuthority.create().client(Algorithm.ecp256));
        try (OpenSslServer server = OpenSslServer.start(
                        directory,
                        authority.server("127.0.0.1"),
                        version,
                        "-Verify",
                        "3",
                        "-verify_return_error",
                        "-CAfile",
                        ca);
                TestProxy proxy = TlsProxy.of(provider, server.url(), foreign, ONE_ATTEMPT);
                RawClient client = proxy.connect()) {
            Problem problem = Problem.of(client.get("/up/", "localhost"));

            assertThat(problem.proxyStatus()).contains("alert-id=48; alert-message=unknown_ca");
        }
    }
}
