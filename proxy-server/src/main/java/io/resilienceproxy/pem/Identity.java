package io.resilienceproxy.pem;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A certificate with what leads to its authority, and its private key.
 *
 * @param chain our own certificate first
 */
public record Identity(List<X509Certificate> chain, PrivateKey key) {

    private static final byte[] PROBE = {1, 2, 3, 4, 5, 6, 7, 8};

    /**
     * Reads both files, blocking.
     *
     * @throws UnusablePem where one of them is unusable, or they do not belong together
     */
    public static Identity read(Path certFile, Path keyFile) throws UnusablePem {
        return of(PemFile.read(certFile), PemFile.read(keyFile));
    }

    /** @throws UnusablePem where one of them is unusable, or they do not belong together */
    public static Identity of(PemFile certFile, PemFile keyFile) throws UnusablePem {
        List<X509Certificate> chain = certFile.certificates();
        PrivateKey key = keyFile.privateKey();
        if (!isPair(chain.get(0).getPublicKey(), key)) {
            throw new UnusablePem(keyFile.file(), "the private key of the first certificate in " + certFile.file());
        }
        return new Identity(chain, key);
    }

    private static boolean isPair(PublicKey publicKey, PrivateKey key) {
        if (!publicKey.getAlgorithm().equals(key.getAlgorithm())) {
            return false;
        }
        try {
            Signature signature =
                    Signature.getInstance(key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA");
            signature.initSign(key);
            signature.update(PROBE);
            byte[] signed = signature.sign();
            signature.initVerify(publicKey);
            signature.update(PROBE);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** The secret stays out of logs. */
    @Override
    public String toString() {
        return "Identity[" + chain.get(0).getSubjectX500Principal() + "]";
    }
}
