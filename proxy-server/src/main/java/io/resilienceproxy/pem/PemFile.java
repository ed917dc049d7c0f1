package io.resilienceproxy.pem;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** What a PEM file held when it was read. Immutable. */
public final class PemFile {

    /** All authorities of the web together have a quarter of it. */
    private static final int MAX_BYTES = 1024 * 1024;

    private static final String CERTIFICATES = "PEM certificates";
    private static final String KEY = "one RSA or EC private key in PEM, without a passphrase";

    private final Path file;
    private final Path realFile;
    private final byte[] content;

    private PemFile(Path file, Path realFile, byte[] content) {
        this.file = file;
        this.realFile = realFile;
        this.content = content;
    }

    /**
     * Reads it, blocking.
     *
     * @throws UnusablePem where it cannot be read, or is longer than 1 MiB
     */
    public static PemFile read(Path file) throws UnusablePem {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new UnusablePem(file, "a PEM file; it is no file");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] content = in.readNBytes(MAX_BYTES + 1);
            if (content.length > MAX_BYTES) {
                throw new UnusablePem(file, "a PEM file of at most 1MiB");
            }
            return new PemFile(file, file.toRealPath(), content);
        } catch (NoSuchFileException e) {
            throw new UnusablePem(file, "a PEM file; there is no such file");
        } catch (AccessDeniedException e) {
            throw new UnusablePem(file, "a PEM file that may be read; permission denied");
        } catch (IOException e) {
            throw new UnusablePem(file, "a PEM file; it cannot be read");
        }
    }

    byte[] content() {
        return content;
    }

    /** Behind all links. */
    Path realFile() {
        return realFile;
    }

    Path file() {
        return file;
    }

    /**
     * All certificates in it, in its order; at least one. Private keys beside them are passed over.
     *
     * @throws UnusablePem where there is none, or one of them is broken
     */
    public List<X509Certificate> certificates() throws UnusablePem {
        List<X509Certificate> certificates = new ArrayList<>();
        for (PemBlock block : blocks(CERTIFICATES)) {
            if (block.label().equals("CERTIFICATE") || block.label().equals("X509 CERTIFICATE")) {
                certificates.add(certificate(block, certificates.size() + 1));
            }
        }
        if (certificates.isEmpty()) {
            throw new UnusablePem(file, CERTIFICATES + "; there is none in it");
        }
        return List.copyOf(certificates);
    }

    private X509Certificate certificate(PemBlock block, int number) throws UnusablePem {
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(block.der()));
        } catch (CertificateException e) {
            throw new UnusablePem(file, CERTIFICATES + "; number " + number + " in it is broken");
        }
    }

    /**
     * The first private key in it.
     *
     * @throws UnusablePem where there is none, it has a passphrase, or it is of another algorithm
     */
    public PrivateKey privateKey() throws UnusablePem {
        byte[] curve = null;
        for (PemBlock block : blocks(KEY)) {
            if (block.encrypted() || block.label().startsWith("ENCRYPTED")) {
                throw new UnusablePem(file, KEY + "; this one has a passphrase");
            }
            if (block.label().equals("EC PARAMETERS")) {
                curve = block.der();
            }
            if (block.label().endsWith("PRIVATE KEY")) {
                PrivateKey key = KeyForm.read(block, curve);
                if (key == null) {
                    throw new UnusablePem(file, KEY + "; this one is broken, or of another algorithm");
                }
                return key;
            }
        }
        throw new UnusablePem(file, KEY + "; there is none in it");
    }

    private List<PemBlock> blocks(String expected) throws UnusablePem {
        try {
            return PemBlock.in(new String(content, StandardCharsets.ISO_8859_1));
        } catch (IllegalArgumentException e) {
            throw new UnusablePem(file, expected + "; " + e.getMessage());
        }
    }
}
