package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.pkitesting.CertificateBuilder.Algorithm;
import io.netty.pkitesting.X509Bundle;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.ServerTls;
import io.resilienceproxy.testkit.TestAuthority;
import io.resilienceproxy.testkit.TestProxy;
import io.resilienceproxy.tls.TlsProvider;
import io.resilienceproxy.tls.UpstreamTls;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** Https upstreams, with both implementations of TLS: who is believed, and what a caller is told of who is not. */
class TlsTest {

    private static final String ONE_ATTEMPT = "retry: {max-attempts: 1}";

    @TempDir
    static Path directory;

    private static TestAuthority authority;
    private static String trusting;

    @BeforeAll
    static void issue() {
        authority = TestAuthority.create();
        trusting = "tls: {ca-file: " + authority.writeRoot(directory) + "}";
    }

    private static X509Bundle good() {
        return authority.server("127.0.0.1", "pay.test");
    }

    private static Problem refused(TlsProvider provider, ServerTls server, String tls) {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(server, Scripts.ok());
                TestProxy proxy = TlsProxy.of(provider, upstream.url(), tls, ONE_ATTEMPT);
                RawClient client = proxy.connect()) {
            Problem problem = Problem.of(client.get("/up/a", "localhost"));
            assertThat(upstream.requests()).isEmpty();
            assertThat(proxy.metric("resilience_proxy_attempts_total{result=\"" + problem.reason()
                            + "\",route=\"default\",upstream=\"up\"}"))
                    .isEqualTo(1);
            return problem;
        }
    }

    @ParameterizedTest
    @CsvSource({"BORINGSSL, TLSv1.3", "BORINGSSL, TLSv1.2", "JDK, TLSv1.3", "JDK, TLSv1.2"})
    void forwardsOverBothVersions(TlsProvider provider, String version) {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(ServerTls.of(good(), version), Scripts.echo());
                TestProxy proxy = TlsProxy.of(provider, upstream.url(), trusting);
                RawClient client = proxy.connect()) {
            for (int i = 0; i < 3; i++) {
                RawResponse response = client.get("/up/a?b=" + i, "localhost");
                assertThat(response.status()).as(response.bodyText()).isEqualTo(200);
                assertThat(response.bodyText()).startsWith("GET /a?b=" + i + " HTTP/1.1\n");
            }
            assertThat(upstream.connections()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(TlsProvider.class)
    void anUnknownAuthorityIsNotTrusted(TlsProvider provider) {
        X509Bundle foreign = TestAuthority.create().server("127.0.0.1");

        Problem problem = refused(provider, ServerTls.of(foreign), trusting);

        assertThat(problem.reason()).isEqualTo("tls-untrusted");
        assertThat(problem.outcome()).isEqualTo("not-sent");
        assertThat(problem.error()).isEqualTo("resilience-proxy; error=tls_certificate_error");
    }

    @ParameterizedTest
    @EnumSource(TlsProvider.class)
    void thePlatformsAuthoritiesAreThoseWithoutACaFile(TlsProvider provider) {
        assertThat(refused(provider, ServerTls.of(good()), "tls: {}").reason()).isEqualTo("tls-untrusted");
    }

    @ParameterizedTest
    @EnumSource(TlsProvider.class)
    void anExpiredCertificateIsRefused(TlsProvider provider) {
        Problem problem = refused(provider, ServerTls.of(authority.expired("127.0.0.1")), trusting);

        assertThat(problem.reason()).isEqualTo("tls-expired");
        assertThat(problem.outcome()).isEqualTo("not-sent");
        assertThat(problem.error()).isEqualTo("resilience-proxy; error=tls_certificate_error");
    }

    @ParameterizedTest
    @EnumSource(TlsProvider.class)
    void aCertificateForAnotherNameIsRefused(TlsProvider provider) {
        Problem problem = refused(provider, ServerTls.of(authority.server("other.test", "127.0.0.2")), trusting);

        assertThat(problem.reason()).isEqualTo("tls-wrong-name");
        assertThat(problem.outcome()).isEqualTo("not-sent");
        assertThat(problem.error()).isEqualTo("resilience-proxy; error=tls_certificate_error");
    }

    @ParameterizedTest
    @EnumSource(TlsProvider.class)
    void theServerNameStandsForTheHost(TlsProvider provider) {
        ServerTls server = ServerTls.of(authority.server("pay.test"));
        String named = trusting.replace("}", ", server-name: Pay.test}");
        try (ScriptedUpstream upstream = ScriptedUpstream.start(server, Scripts.ok());
                TestProxy proxy = TlsProxy.of(provider, upstream.url(), named);
                RawClient client = proxy.connect()) {
            assertThat(client.get("/up/a", "localhost").status()).isEqualTo(200);
            // What is asked for in TLS is not what is asked for in HTTP.
            assertThat(upstream.awaitRequest().field("Host")).isEqualTo("127.0.0.1:" + upstream.port());
        }
        String other = trusting.replace("}", ", server-name: other.test}");
        assertThat(refused(provider, server, other).reason()).isEqualTo("tls-wrong-name");
    }

    @ParameterizedTest
    @EnumSource(TlsProvider.class)
    void whatIsNotTlsIsToldApart(TlsProvider provider) {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = TlsProxy.of(provider, "https://127.0.0.1:" + upstream.port(), trusting, ONE_ATTEMPT);
                RawClient client = proxy.connect()) {
            Problem problem = Problem.of(client.get("/up/a", "localhost"));

            assertThat(problem.reason()).isEqualTo("tls-protocol");
            assertThat(problem.outcome()).isEqualTo("not-sent");
            assertThat(problem.error()).isEqualTo("resilience-proxy; error=tls_protocol_error");
            upstream.forgiveFaults();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "BORINGSSL, TLSv1.3, rsa2048",
        "BORINGSSL, TLSv1.2, ecp256",
        "JDK, TLSv1.3, ecp256",
        "JDK, TLSv1.2, rsa2048"
    })
    void showsItsOwnCertificate(TlsProvider provider, String version, Algorithm algorithm) {
        X509Bundle client = authority.client(algorithm);
        String mutual = trusting.replace(
                "}",
                ", cert-file: " + TestAuthority.writeCertificate(client, directory.resolve("c.pem")) + ", key-file: "
                        + TestAuthority.writeKey(client, directory.resolve("c.key")) + "}");
        ServerTls server = ServerTls.requiring(authority.root(), good(), version);
        try (ScriptedUpstream upstream = ScriptedUpstream.start(server, Scripts.ok());
                TestProxy proxy = TlsProxy.of(provider, upstream.url(), mutual);
                RawClient caller = proxy.connect()) {
            assertThat(caller.get("/up/a", "localhost").status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @EnumSource(TlsProvider.class)
    void anAlertWithinTheHandshakeIsSaidAndNothingWasSent(TlsProvider provider) {
        Problem problem = refused(provider, ServerTls.requiring(authority.root(), good(), "TLSv1.2"), trusting);

        assertThat(problem.reason()).isEqualTo("tls-alert");
        assertThat(problem.outcome()).isEqualTo("not-sent");
        assertThat(problem.error())
                .matches("resilience-proxy; error=tls_alert_received; alert-id=[0-9]+; alert-message=[a-z_]+");
    }

    @ParameterizedTest
    @EnumSource(TlsProvider.class)
    void theLogSaysOnceWhatWasWrong(TlsProvider provider) {
        Logger log = (Logger) LoggerFactory.getLogger(UpstreamTls.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.addAppender(lines);
        ServerTls server = ServerTls.of(authority.server("other.test"));
        try (ScriptedUpstream upstream = ScriptedUpstream.start(server, Scripts.ok());
                TestProxy proxy = TlsProxy.of(provider, upstream.url(), trusting, ONE_ATTEMPT);
                RawClient client = proxy.connect()) {
            for (int i = 0; i < 3; i++) {
                client.get("/up/a", "localhost");
            }

            assertThat(lines.list)
                    .singleElement()
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .asString()
                    .startsWith("handshake failed system=up reason=tls-wrong-name: ")
                    .contains("127.0.0.1")
                    .endsWith("; it is for [other.test]");
        } finally {
            log.detachAppender(lines);
        }
    }

    /** TLS 1.3 asks for a certificate in the handshake and judges it behind it. */
    @ParameterizedTest
    @EnumSource(TlsProvider.class)
    void anAlertBehindTheHandshakeLeavesOpenWhatWasSent(TlsProvider provider) {
        Problem problem = refused(provider, ServerTls.requiring(authority.root(), good(), "TLSv1.3"), trusting);

        assertThat(problem.reason()).isEqualTo("tls-alert");
        assertThat(problem.outcome()).isEqualTo("unknown");
        assertThat(problem.error())
                .matches("resilience-proxy; error=tls_alert_received; alert-id=[0-9]+; alert-message=[a-z_]+");
    }
}
