package io.resilienceproxy.testkit;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

/** An authority that issues certificates for tests, and writes them to PEM files. */
public final class TestAuthority {

    private static final AtomicInteger MADE = new AtomicInteger();

    private final X509Bundle root;

    private TestAuthority(X509Bundle root) {
        this.root = root;
    }

    /** Each of another name than those before. */
    public static TestAuthority create() {
        String name = "CN=test authority " + MADE.incrementAndGet();
        return new TestAuthority(self(builder(name).setIsCertificateAuthority(true)));
    }

    private static CertificateBuilder builder(String subject) {
        Instant now = Instant.now();
        return new CertificateBuilder()
                .ecp256()
                .subject(subject)
                .notBefore(now.minus(Duration.ofDays(1)))
                .notAfter(now.plus(Duration.ofDays(30)));
    }

    public X509Bundle root() {
        return root;
    }

    /** A server's, valid for 30 days. */
    public X509Bundle server(String... names) {
        return issue(named(names));
    }

    /** A server's that has been no longer valid for a day. */
    public X509Bundle expired(String... names) {
        Instant now = Instant.now();
        return issue(named(names).notBefore(now.minus(Duration.ofDays(10))).notAfter(now.minus(Duration.ofDays(1))));
    }

    private static CertificateBuilder named(String... names) {
        CertificateBuilder builder = builder("CN=server").addExtendedKeyUsageServerAuth();
        for (String name : names) {
            if (name.matches("[0-9.]+")) {
                builder.addSanIpAddress(name);
            } else {
                builder.addSanDnsName(name);
            }
        }
        return builder;
    }

    /** A caller's, for mutual TLS. */
    public X509Bundle client(CertificateBuilder.Algorithm algorithm) {
        return issue(builder("CN=client").algorithm(algorithm).addExtendedKeyUsageClientAuth());
    }

    private X509Bundle issue(CertificateBuilder builder) {
        try {
            return builder.buildIssuedBy(root);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static X509Bundle self(CertificateBuilder builder) {
        try {
            return builder.buildSelfSigned();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes the root's certificate. */
    public Path writeRoot(Path directory) {
        return write(directory.resolve("ca.pem"), root.getCertificatePEM());
    }

    /** Writes a certificate with what leads to the root. */
    public static Path writeCertificate(X509Bundle bundle, Path file) {
        return write(file, bundle.getCertificatePathPEM());
    }

    /** Writes a private key, as PKCS#8. */
    public static Path writeKey(X509Bundle bundle, Path file) {
        return write(file, bundle.getPrivateKeyPEM());
    }

    private static Path write(Path file, String text) {
        try {
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
