package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.resilienceproxy.pool.ConnectionPool;
import io.resilienceproxy.testkit.DnsServer;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.RawResponse;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.ServerTls;
import io.resilienceproxy.testkit.TestAuthority;
import io.resilienceproxy.testkit.TestProxy;
import io.resilienceproxy.tls.TlsProvider;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Handshakes where there is more than one address, more than one url, or no request yet. */
class TlsEndpointsTest {

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

    /** The name is verified and not the address; a handshake that fails is no reason to fail the attempt yet. */
    @ParameterizedTest
    @EnumSource(TlsProvider.class)
    void anAddressWhoseHandshakeFailsCostsNoCall(TlsProvider provider) {
        try (DnsServer dns = DnsServer.start().answer("pay.test", 300, "127.0.0.2", "127.0.0.1");
                ScriptedUpstream good =
                        ScriptedUpstream.start(ServerTls.of(authority.server("pay.test")), Scripts.ok());
                ScriptedUpstream plain = ScriptedUpstream.startAt("127.0.0.2", good.port(), Scripts.ok());
                TestProxy proxy =
                        dns.use(() -> TlsProxy.of(provider, "https://pay.test:" + good.port(), trusting, ONE_ATTEMPT));
                RawClient client = proxy.connect()) {
            for (int i = 0; i < 20; i++) {
                RawResponse response = client.get("/up/", "localhost");
                assertThat(response.status()).as("%s", response.bodyText()).isEqualTo(200);
            }
            assertThat(good.requests()).hasSize(20);
            assertThat(plain.requests()).isEmpty();
            plain.forgiveFaults();
        }
    }

    @ParameterizedTest
    @EnumSource(TlsProvider.class)
    void aUrlWhoseCertificateIsNotTrustedIsLeftForTheNext(TlsProvider provider) {
        ServerTls foreign = ServerTls.of(TestAuthority.create().server("127.0.0.1"));
        try (ScriptedUpstream untrusted = ScriptedUpstream.start(foreign, Scripts.ok());
                ScriptedUpstream next = ScriptedUpstream.start(Scripts.status(200, "next"));
                TestProxy proxy = TlsProxy.of(provider, untrusted.url(), trusting)) {
            proxy.reload(
                    "upstreams:\n  up:\n    urls: ['" + untrusted.url() + "', '" + next.url() + "']\n    " + trusting
                            + "\n    " + ONE_ATTEMPT + "\n    timeouts: {connect: 4s, read: 5s, call: 20s}\n"
                            + "    circuit-breaker: {sliding-window-size: 2, minimum-number-of-calls: 2}\n");
            try (RawClient client = proxy.connect()) {
                assertThat(Problem.of(client.get("/up/", "localhost")).reason()).isEqualTo("tls-untrusted");
                assertThat(Problem.of(client.get("/up/", "localhost")).reason()).isEqualTo("tls-untrusted");

                assertThat(client.get("/up/", "localhost").bodyText()).isEqualTo("next");
            }
        }
    }

    /** What min-idle keeps has its handshake behind it. */
    @ParameterizedTest
    @EnumSource(TlsProvider.class)
    void theFirstRequestPaysNoHandshake(TlsProvider provider) {
        ServerTls server = ServerTls.of(authority.server("127.0.0.1"));
        try (ScriptedUpstream upstream = ScriptedUpstream.start(server, Scripts.ok());
                TestProxy proxy = TlsProxy.of(provider, upstream.url(), trusting, "pool: {min-idle: 1}");
                RawClient client = proxy.connect()) {
            await().until(() -> proxy.proxy().server().pools().stream()
                            .mapToInt(ConnectionPool::idle)
                            .sum()
                    == 1);

            assertThat(client.get("/up/", "localhost").status()).isEqualTo(200);

            assertThat(upstream.connection(1).requests()).hasSize(1);
        }
    }
}
