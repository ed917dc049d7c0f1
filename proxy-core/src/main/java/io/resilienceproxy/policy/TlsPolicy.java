package io.resilienceproxy.policy;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How an https upstream is spoken to. Names of files, not what is in them: that may change while the policy stays.
 *
 * @param caFile PEM certificates of the authorities that are trusted, and no others; without it the platform's
 * @param clientCertificate by which the upstream knows us (mutual TLS)
 * @param serverName asked for (SNI) and looked for in the certificate in place of the url's host; lower case
 */
public record TlsPolicy(
        Optional<Path> caFile, Optional<ClientCertificate> clientCertificate, Optional<String> serverName) {

    public static final TlsPolicy DEFAULT = new TlsPolicy(Optional.empty(), Optional.empty(), Optional.empty());

    /**
     * @param certFile PEM, our certificate first, then those that lead to its authority
     * @param keyFile PEM, its private key, without a passphrase: PKCS#8, PKCS#1 or SEC 1
     */
    public record ClientCertificate(Path certFile, Path keyFile) {}
}
