package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.pkitesting.CertificateBuilder.Algorithm;
import io.netty.pkitesting.X509Bundle;
import io.resilienceproxy.testkit.ConfigVolume;
import io.resilienceproxy.testkit.ConnectionEnd;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.ServerTls;
import io.resilienceproxy.testkit.TestAuthority;
import io.resilienceproxy.testkit.TestProxy;
import io.resilienceproxy.tls.TlsProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Certificate files that change under a running proxy. */
class TlsReloadTest {

    private static final Duration SOON = Duration.ofSeconds(15);
    private static final String ONE_ATTEMPT = "retry: {max-attempts: 1}";

    @TempDir
    private Path directory;

    private final TestAuthority authority = TestAuthority.create();

    private static String renewals(String result) {
        return "resilience_proxy_tls_renewals_total{result=\"" + result + "\",upstream=\"up\"}";
    }

    /** The kubelet swaps a secret's volume while callers are served: not one of them notices. */
    @ParameterizedTest
    @EnumSource(TlsProvider.class)
    void anotherAuthorityIsTakenUpUnderTraffic(TlsProvider provider) throws Exception {
        TestAuthority next = TestAuthority.create();
        ConfigVolume volume = new ConfigVolume(directory, step -> {});
        volume.write(Map.of("ca.pem", authority.root().getCertificatePEM()));
        String tls = "tls: {ca-file: " + volume.file("ca.pem") + "}";
        try (ScriptedUpstream upstream =
                        ScriptedUpstream.start(ServerTls.of(authority.server("127.0.0.1")), Scripts.ok());
                TestProxy proxy = TlsProxy.of(provider, upstream.url(), tls, ONE_ATTEMPT)) {
            AtomicBoolean done = new AtomicBoolean();
            AtomicInteger good = new AtomicInteger();
            AtomicInteger bad = new AtomicInteger();
            Thread caller = new Thread(() -> {
                try (RawClient client = proxy.connect()) {
                    while (!done.get()) {
                        (client.get("/up/a", "localhost").status() == 200 ? good : bad).incrementAndGet();
                    }
                }
            });
            caller.start();
            await().until(() -> good.get() > 10);
            volume.write(Map.of("ca.pem", next.root().getCertificatePEM()));
            await().atMost(SOON).until(() -> proxy.metric(renewals("success")) == 1);
            int before = good.get();
            await().until(() -> good.get() > before + 10);
            done.set(true);
            caller.join();

            assertThat(bad.get()).isZero();
            assertThat(upstream.connections()).as("the live connection went on").hasSize(1);
            // A new connection is judged by the new authority, which did not issue the upstream's certificate.
            upstream.closeConnections();
            try (RawClient client = proxy.connect()) {
                await().until(() -> client.get("/up/a", "localhost").status() == 502);
                assertThat(Problem.of(client.get("/up/b", "localhost")).reason())
                        .isEqualTo("tls-untrusted");
            }
        }
    }

    /** Written by hand, one after the other: the pair counts once it is one. */
    @Test
    void aHalfWrittenPairChangesNothing() throws IOException {
        X509Bundle old = authority.client(Algorithm.ecp256);
        X509Bundle fresh = authority.client(Algorithm.ecp256);
        Path cert = TestAuthority.writeCertificate(old, directory.resolve("c.pem"));
        Path key = TestAuthority.writeKey(old, directory.resolve("c.key"));
        String tls = "tls: {ca-file: " + authority.writeRoot(directory) + ", cert-file: " + cert + ", key-file: " + key
                + "}";
        ServerTls server = ServerTls.requiring(authority.root(), authority.server("127.0.0.1"), "TLSv1.2");
        try (ScriptedUpstream upstream =
                        ScriptedUpstream.start(server, Scripts.status(200, "ok", "Connection: close"));
                TestProxy proxy = TlsProxy.of(TlsProvider.JDK, upstream.url(), tls);
                RawClient client = proxy.connect()) {
            assertThat(client.get("/up/a", "localhost").status()).isEqualTo(200);
            TestAuthority.writeCertificate(fresh, cert);
            await().atMost(SOON).until(() -> proxy.metric(renewals("failure")) == 1);
            assertThat(client.get("/up/a", "localhost").status()).isEqualTo(200);
            assertThat(proxy.metric(renewals("success"))).isZero();

            TestAuthority.writeKey(fresh, key);
            await().atMost(SOON).until(() -> proxy.metric(renewals("success")) == 1);
            assertThat(client.get("/up/a", "localhost").status()).isEqualTo(200);

            Files.delete(key);
            await().atMost(SOON).until(() -> proxy.metric(renewals("failure")) == 2);
            assertThat(client.get("/up/a", "localhost").status()).isEqualTo(200);
        }
    }

    /** With another trust there is another pool: nobody is served over a connection that it would not have opened. */
    @Test
    void anotherPolicyForTlsBeginsAnotherPool() {
        Path foreign = TestAuthority.writeCertificate(TestAuthority.create().root(), directory.resolve("f.pem"));
        String trusting = "tls: {ca-file: " + authority.writeRoot(directory) + "}";
        try (ScriptedUpstream upstream =
                        ScriptedUpstream.start(ServerTls.of(authority.server("127.0.0.1")), Scripts.ok());
                TestProxy proxy = TlsProxy.of(TlsProvider.BORINGSSL, upstream.url(), trusting, ONE_ATTEMPT);
                RawClient client = proxy.connect()) {
            assertThat(client.get("/up/a", "localhost").status()).isEqualTo(200);
            String policy = "upstreams: {up: {url: '" + upstream.url() + "', " + ONE_ATTEMPT + ", ";
            proxy.reload(policy + "tls: {ca-file: " + foreign + "}}}");

            assertThat(Problem.of(client.get("/up/a", "localhost")).reason()).isEqualTo("tls-untrusted");
            assertThat(upstream.connection(1).awaitEnd(SOON))
                    .as("the old pool drains")
                    .isEqualTo(ConnectionEnd.FIN);
            proxy.reload(policy + trusting + "}}");
            assertThat(client.get("/up/a", "localhost").status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @EnumSource(TlsProvider.class)
    void metricsSayUntilWhenCertificatesAreValid(TlsProvider provider) {
        X509Bundle own = authority.client(Algorithm.ecp256);
        String tls = "tls: {ca-file: " + authority.writeRoot(directory) + ", cert-file: "
                + TestAuthority.writeCertificate(own, directory.resolve("c.pem")) + ", key-file: "
                + TestAuthority.writeKey(own, directory.resolve("c.key")) + "}";
        ServerTls server = ServerTls.of(authority.server("127.0.0.1"));
        try (ScriptedUpstream upstream = ScriptedUpstream.start(server, Scripts.ok());
                TestProxy proxy = TlsProxy.of(provider, upstream.url(), tls);
                RawClient client = proxy.connect()) {
            String labels = "{site=\"127.0.0.1:" + upstream.port() + "\",upstream=\"up\"}";
            String days = "resilience_proxy_tls_upstream_certificate_days" + labels;
            assertThat(proxy.metric(days)).isNaN();
            client.get("/up/a", "localhost");

            assertThat(proxy.metric(days)).isBetween(29.0, 30.0);
            assertThat(proxy.metric("resilience_proxy_tls_own_certificate_days" + labels))
                    .isBetween(29.0, 30.0);
            assertThat(proxy.metric("resilience_proxy_tls_provider{provider=\"" + provider.token() + "\"}"))
                    .isEqualTo(1);
        }
        ServerTls expired = ServerTls.of(authority.expired("127.0.0.1"));
        try (ScriptedUpstream upstream = ScriptedUpstream.start(expired, Scripts.ok());
                TestProxy proxy = TlsProxy.of(provider, upstream.url(), tls, ONE_ATTEMPT);
                RawClient client = proxy.connect()) {
            client.get("/up/a", "localhost");

            assertThat(proxy.metric("resilience_proxy_tls_upstream_certificate_days{site=\"127.0.0.1:" + upstream.port()
                            + "\",upstream=\"up\"}"))
                    .isBetween(-2.0, -0.9);
        }
    }
}
