package io.resilienceproxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.pkitesting.CertificateBuilder.Algorithm;
import io.resilienceproxy.policy.TlsPolicy;
import io.resilienceproxy.policy.TlsPolicy.ClientCertificate;
import io.resilienceproxy.testkit.TestAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code tls}: what is in the files belongs to a policy that can be used. */
class TlsSettingsTest {

    @TempDir
    static Path directory;

    private static Path ca;
    private static Path cert;
    private static Path key;

    @BeforeAll
    static void write() {
        TestAuthority authority = TestAuthority.create();
        var client = authority.client(Algorithm.ecp256);
        ca = authority.writeRoot(directory);
        cert = TestAuthority.writeCertificate(client, directory.resolve("client.pem"));
        key = TestAuthority.writeKey(client, directory.resolve("client.key"));
    }

    private static String https(String tls) {
        return "upstreams: {pay: {url: https://pay, tls: {" + tls + "}}}";
    }

    private static TlsPolicy policy(String text) {
        return Loading.clean(text).upstreams().get(0).tls();
    }

    @Test
    void nothingIsNeeded() {
        assertThat(policy("upstreams: {pay: {url: https://pay}}")).isEqualTo(TlsPolicy.DEFAULT);
        assertThat(policy(https(""))).isEqualTo(TlsPolicy.DEFAULT);
    }

    @Test
    void everythingCanBeNamed() {
        String all = "ca-file: " + ca + ", cert-file: " + cert + ", key-file: " + key + ", server-name: Pay.Example";

        assertThat(policy(https(all)))
                .isEqualTo(new TlsPolicy(
                        Optional.of(ca), Optional.of(new ClientCertificate(cert, key)), Optional.of("pay.example")));
    }

    @Test
    void whatDefaultsNameHoldsForHttpsUpstreamsOnly() {
        String text = "defaults: {tls: {ca-file: " + ca + ", server-name: a.test}}\n"
                + "upstreams: {pay: {url: https://pay, tls: {server-name: b.test}}, plain: {url: http://plain}}";

        assertThat(Loading.clean(text).upstreams())
                .extracting(upstream -> upstream.tls())
                .containsExactly(
                        new TlsPolicy(Optional.of(ca), Optional.empty(), Optional.of("b.test")), TlsPolicy.DEFAULT);
    }

    @Test
    void anExplanationShowsWhatIsInEffect() {
        String text = "defaults: {tls: {ca-file: " + ca + "}}\n"
                + "upstreams: {pay: {url: https://pay}, plain: {url: http://plain}}";
        Explanation explanation = Objects.requireNonNull(Loading.load(text).explanation());

        assertThat(explanation.text("pay")).contains("tls:\n      ca-file: " + ca);
        assertThat(explanation.text("plain")).doesNotContain("tls");
        assertThat(Loading.load(explanation.text()).policy())
                .isEqualTo(Loading.load(text).policy());
    }

    @Test
    void anHttpUrlHasNone() {
        assertThat(Loading.problems("upstreams: {pay: {url: http://pay, tls: {}}}"))
                .containsExactly("1:36: upstreams.pay.tls: tls of an http url (expected: an https url, or no tls)");
    }

    @Test
    void aCertificateHasItsKeyBesideIt() {
        assertThat(Loading.problems(https("cert-file: " + cert)))
                .containsExactly("1:43: upstreams.pay.tls.cert-file: " + Found.text(cert.toString())
                        + " (expected: tls.key-file beside it)");
        assertThat(Loading.problems(https("key-file: " + key)))
                .singleElement()
                .asString()
                .endsWith("(expected: tls.cert-file beside it)");
    }

    @Test
    void aFileIsNamedByItsWholePath() {
        assertThat(Loading.problems(https("ca-file: ca.pem")))
                .containsExactly("1:43: upstreams.pay.tls.ca-file: ca.pem"
                        + " (expected: an absolute path, such as /etc/tls/ca.pem)");
    }

    @Test
    void aFileThatCannotBeUsedIsSaidWithWhatItShouldHold() throws IOException {
        Path empty = Files.writeString(directory.resolve("empty"), "");

        assertThat(Loading.problems(https("ca-file: /no/such.pem")))
                .containsExactly("1:43: upstreams.pay.tls.ca-file: /no/such.pem"
                        + " (expected: a PEM file; there is no such file)");
        assertThat(Loading.problems(https("ca-file: " + directory)))
                .singleElement()
                .asString()
                .endsWith("(expected: a PEM file; it is no file)");
        assertThat(Loading.problems(https("ca-file: " + empty)))
                .singleElement()
                .asString()
                .endsWith("(expected: PEM certificates; there is none in it)");
        assertThat(Loading.problems(https("cert-file: " + cert + ", key-file: " + cert)))
                .singleElement()
                .asString()
                .endsWith("(expected: one RSA or EC private key in PEM, without a passphrase; there is none in it)");
    }

    @Test
    void aKeyBelongsToItsCertificate() {
        var other = TestAuthority.create().client(Algorithm.ecp256);
        Path otherKey = TestAuthority.writeKey(other, directory.resolve("other.key"));

        assertThat(Loading.problems(https("cert-file: " + cert + ", key-file: " + otherKey)))
                .singleElement()
                .asString()
                .startsWith("1:" + (56 + cert.toString().length()) + ": upstreams.pay.tls.key-file:")
                .endsWith("(expected: the private key of the first certificate in " + cert + ")");
    }

    @Test
    void aFaultInDefaultsIsReportedOnce() {
        assertThat(Loading.problems("defaults: {tls: {ca-file: /no/such.pem}}\n"
                        + "upstreams: {a: {url: https://a}, b: {url: https://b}}"))
                .hasSize(1);
    }
}
