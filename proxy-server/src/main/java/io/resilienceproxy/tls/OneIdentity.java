package io.resilienceproxy.tls;

import io.resilienceproxy.pem.Identity;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The one certificate that an upstream's policy names. It is shown to whoever asks for one that a key of its kind can
 * sign, also where the authorities that the upstream says it knows do not include ours: they often are incomplete, and it
 * is for the upstream to refuse.
 */
final class OneIdentity extends X509ExtendedKeyManager {

    private static final String ALIAS = "own";

    private final X509Certificate[] chain;
    private final PrivateKey key;

    OneIdentity(Identity identity) {
        this.chain = identity.chain().toArray(X509Certificate[]::new);
        this.key = identity.key();
    }

    private @Nullable String choose(String... keyTypes) {
        return Arrays.asList(keyTypes).contains(key.getAlgorithm()) ? ALIAS : null;
    }

    @Override
    public @Nullable String chooseEngineClientAlias(String[] keyTypes, Principal[] issuers, SSLEngine engine) {
        return choose(keyTypes);
    }

    @Override
    public @Nullable String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
        return choose(keyTypes);
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal[] issuers) {
        return choose(keyType) == null ? null : new String[] {ALIAS};
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        return alias.equals(ALIAS) ? chain.clone() : null;
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        return alias.equals(ALIAS) ? key : null;
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
        return null;
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal[] issuers) {
        return null;
    }
}
