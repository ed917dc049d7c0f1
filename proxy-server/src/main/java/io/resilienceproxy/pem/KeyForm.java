package io.resilienceproxy.pem;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The forms of a private key. The JDK reads PKCS#8 (RFC 5208) only; PKCS#1 (RFC 8017 appendix A.1.2) and SEC 1 (RFC 5915)
 * are what PKCS#8 holds inside, so they are put into it.
 */
final class KeyForm {

    /** {@code rsaEncryption} with its NULL, as an AlgorithmIdentifier. */
    private static final byte[] RSA =
            Der.sequence(Der.oid(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01), Der.NULL);

    private static final byte[] EC_PUBLIC_KEY = Der.oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01);

    /** {@code [0]} of an ECPrivateKey: its curve. */
    private static final int CURVE_TAG = 0xa0;

    private KeyForm() {}

    /**
     * @param curve from an {@code EC PARAMETERS} block before it, null if there was none
     * @return null where it is broken or of an algorithm that TLS clients here do not have
     */
    static @Nullable PrivateKey read(PemBlock block, byte @Nullable [] curve) {
        return switch (block.label()) {
            case "PRIVATE KEY" -> pkcs8(block.der(), List.of("RSA", "EC"));
            case "RSA PRIVATE KEY" -> pkcs8(wrap(RSA, block.der()), List.of("RSA"));
            case "EC PRIVATE KEY" -> sec1(block.der(), curve);
            default -> null;
        };
    }

    private static @Nullable PrivateKey sec1(byte[] der, byte @Nullable [] curveBefore) {
        byte[] inside = Der.inSequence(der, CURVE_TAG);
        byte[] curve = inside == null ? curveBefore : inside;
        return curve == null ? null : pkcs8(wrap(Der.sequence(EC_PUBLIC_KEY, curve), der), List.of("EC"));
    }

    private static byte[] wrap(byte[] algorithm, byte[] key) {
        return Der.sequence(Der.ZERO, algorithm, Der.octets(key));
    }

    private static @Nullable PrivateKey pkcs8(byte[] der, List<String> algorithms) {
        for (String algorithm : algorithms) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
            } catch (InvalidKeySpecException another) {
                continue;
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every Java has " + algorithm, e);
            }
        }
        return null;
    }
}
