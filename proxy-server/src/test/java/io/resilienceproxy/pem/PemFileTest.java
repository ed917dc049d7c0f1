package io.resilienceproxy.pem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.pkitesting.CertificateBuilder.Algorithm;
import io.netty.pkitesting.X509Bundle;
import io.resilienceproxy.testkit.OpenSsl;
import io.resilienceproxy.testkit.TestAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** PEM as openssl and others write it. */
class PemFileTest {

    @TempDir
    private Path directory;

    private final TestAuthority authority = TestAuthority.create();

    private Path file(String text) {
        try {
            return Files.writeString(Files.createTempFile(directory, "pem", ""), text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static PrivateKey key(Path file) throws UnusablePem {
        return PemFile.read(file).privateKey();
    }

    @Test
    void readsCertificatesInTheirOrderWhateverStandsBetween() throws UnusablePem {
        X509Bundle client = authority.client(Algorithm.ecp256);
        Path bundle = file("Subject: client\r\n" + client.getCertificatePEM().replace("\n", "\r\n") + "\n# the root\n"
                + client.getPrivateKeyPEM() + authority.root().getCertificatePEM());

        assertThat(PemFile.read(bundle).certificates())
                .containsExactly(client.getCertificate(), authority.root().getCertificate());
        assertThat(PemFile.read(bundle).privateKey())
                .isEqualTo(client.getKeyPair().getPrivate());
    }

    @ParameterizedTest
    @ValueSource(strings = {"rsa2048", "ecp256", "ecp384"})
    void readsPkcs8(String algorithm) throws UnusablePem {
        X509Bundle client = authority.client(Algorithm.valueOf(algorithm));

        assertThat(key(file(client.getPrivateKeyPEM())))
                .isEqualTo(client.getKeyPair().getPrivate());
    }

    @Test
    void readsPkcs1() throws Exception {
        X509Bundle client = authority.client(Algorithm.rsa2048);
        Path converted = directory.resolve("pkcs1");
        OpenSsl.run(
                "rsa", "-traditional", "-in", file(client.getPrivateKeyPEM()).toString(), "-out", converted.toString());

        assertThat(converted).content().startsWith("-----BEGIN RSA PRIVATE KEY-----");
        assertThat(key(converted)).isEqualTo(client.getKeyPair().getPrivate());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ecp256", "ecp384"})
    void readsSec1(String algorithm) throws Exception {
        X509Bundle client = authority.client(Algorithm.valueOf(algorithm));
        Path converted = directory.resolve("sec1");
        OpenSsl.run("ec", "-in", file(client.getPrivateKeyPEM()).toString(), "-out", converted.toString());

        assertThat(converted).content().startsWith("-----BEGIN EC PRIVATE KEY-----");
        // The number and its curve: as the JDK has it, the key also knows whether its public half stood beside it.
        ECPrivateKey read = (ECPrivateKey) key(converted);
        ECPrivateKey made = (ECPrivateKey) client.getKeyPair().getPrivate();
        assertThat(read.getS()).isEqualTo(made.getS());
        assertThat(read.getParams()).hasToString(made.getParams().toString());
    }

    /** As {@code openssl ecparam -genkey} writes it: the curve stands in a block of its own, too. */
    @Test
    void readsSec1BehindItsParameters() throws Exception {
        Path made = directory.resolve("made");
        OpenSsl.run("ecparam", "-name", "prime256v1", "-genkey", "-out", made.toString());

        assertThat(made).content().startsWith("-----BEGIN EC PARAMETERS-----");
        assertThat(key(made).getAlgorithm()).isEqualTo("EC");
    }

    @ParameterizedTest
    @CsvSource({"-traditional, -----BEGIN RSA PRIVATE KEY-----", ", -----BEGIN ENCRYPTED PRIVATE KEY-----"})
    void saysThatAKeyHasAPassphrase(String form, String begin) throws Exception {
        String plain =
                file(authority.client(Algorithm.rsa2048).getPrivateKeyPEM()).toString();
        Path encrypted = directory.resolve("encrypted");
        if (form == null) {
            OpenSsl.run("pkcs8", "-topk8", "-in", plain, "-out", encrypted.toString(), "-passout", "pass:secret");
        } else {
            OpenSsl.run("rsa", form, "-aes128", "-in", plain, "-out", encrypted.toString(), "-passout", "pass:secret");
        }

        assertThat(encrypted).content().startsWith(begin);
        assertThatThrownBy(() -> key(encrypted)).hasMessageContaining("this one has a passphrase");
    }

    @Test
    void refusesAKeyOfAnotherAlgorithm() throws Exception {
        Path made = directory.resolve("made");
        OpenSsl.run("genpkey", "-algorithm", "ed25519", "-out", made.toString());

        assertThatThrownBy(() -> key(made)).hasMessageContaining("broken, or of another algorithm");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n",
                "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
                "-----BEGIN EC PRIVATE KEY-----\nMIIB\n-----END EC PRIVATE KEY-----\n",
                "-----BEGIN RSA PRIVATE KEY-----\n!!!!\n-----END RSA PRIVATE KEY-----\n",
                "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n",
                "-----BEGIN DSA PRIVATE KEY-----\nAAAA\n-----END DSA PRIVATE KEY-----\n"
            })
    void refusesWhatIsNoKey(String text) {
        assertThatThrownBy(() -> key(file(text)))
                .isInstanceOf(UnusablePem.class)
                .hasMessageContaining("one RSA or EC private key in PEM");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
                "-----BEGIN CERTIFICATE-----\nMIIB",
                "-----BEGIN CERTIFICATE-----\n????\n-----END CERTIFICATE-----\n"
            })
    void refusesWhatIsNoCertificate(String text) {
        assertThatThrownBy(() -> PemFile.read(file(text)).certificates())
                .isInstanceOf(UnusablePem.class)
                .hasMessageContaining("PEM certificates");
    }

    /** A key cut anywhere is no other key. */
    @Test
    void refusesAKeyThatIsCutShort() throws Exception {
        Path sec1 = directory.resolve("sec1");
        OpenSsl.run("ecparam", "-name", "secp384r1", "-genkey", "-noout", "-out", sec1.toString());
        byte[] der = PemBlock.in(Files.readString(sec1)).get(0).der();
        for (int length = 0; length < der.length; length++) {
            PemBlock cut = new PemBlock("EC PRIVATE KEY", false, Arrays.copyOf(der, length));

            assertThat(KeyForm.read(cut, null)).as("%d bytes", length).isNull();
        }
    }

    @Test
    void aKeyOfAnotherCertificateIsNoIdentity() {
        X509Bundle one = authority.client(Algorithm.ecp256);
        for (Algorithm algorithm : new Algorithm[] {Algorithm.ecp256, Algorithm.rsa2048, Algorithm.ecp384}) {
            Path other = file(authority.client(algorithm).getPrivateKeyPEM());

            assertThatThrownBy(() -> Identity.read(file(one.getCertificatePEM()), other))
                    .isInstanceOf(UnusablePem.class)
                    .hasMessageContaining("the private key of the first certificate");
        }
    }

    @Test
    void anIdentityShowsNoSecret() throws UnusablePem {
        X509Bundle one = authority.client(Algorithm.ecp256);

        assertThat(Identity.read(file(one.getCertificatePEM()), file(one.getPrivateKeyPEM())))
                .hasToString("Identity[CN=client]");
    }

    /** A disk that was full, or a writer that died: half a bundle must not pass for the whole one. */
    @Test
    void aFileThatIsCutOffWithinABlockIsRefused() {
        String whole = authority.root().getCertificatePEM();
        Path cut = file(whole + whole.substring(0, whole.length() / 2));

        assertThatThrownBy(() -> PemFile.read(cut).certificates())
                .isInstanceOf(UnusablePem.class)
                .hasMessage(cut + " (expected: PEM certificates; a block in it has no end)");
    }
}
