package io.resilienceproxy.tls;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProtocols;
import io.netty.util.NetUtil;
import io.resilienceproxy.pem.Identity;
import io.resilienceproxy.pem.PemFiles;
import io.resilienceproxy.pem.UnusablePem;
import io.resilienceproxy.policy.TlsPolicy;
import io.resilienceproxy.policy.TlsPolicy.ClientCertificate;
import io.resilienceproxy.policy.UpstreamUrl;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Makes the contexts of all upstreams: TLS 1.2 and 1.3, the name looked for in every certificate with no way to leave that
 * out, {@code http/1.1} offered, sessions resumed.
 *
 * <p>Opened from and closed by one thread at a time, which may block.
 */
public final class TlsContexts implements AutoCloseable {

    private static final ApplicationProtocolConfig HTTP_1 = new ApplicationProtocolConfig(
            Protocol.ALPN,
            SelectorFailureBehavior.NO_ADVERTISE,
            SelectedListenerFailureBehavior.ACCEPT,
            ApplicationProtocolNames.HTTP_1_1);

    private final TlsProvider provider;
    private volatile @Nullable X509ExtendedTrustManager platform;

    private final CertificateListener listener;

    /** Follows the files of all upstreams; made with the first one that names any. */
    private @Nullable ScheduledExecutorService watching;

    public TlsContexts(TlsProvider provider, CertificateListener listener) {
        this.provider = provider;
        this.listener = listener;
    }

    public TlsProvider provider() {
        return provider;
    }

    /**
     * Reads the files that the policy names, blocking, and follows them until the result is closed.
     *
     * @param upstream its name
     * @throws IOException naming the file that cannot be used
     */
    public UpstreamTls open(String upstream, UpstreamUrl url, TlsPolicy policy) throws IOException {
        UpstreamTls opened = new UpstreamTls(upstream, url, policy, this);
        if (policy.caFile().isPresent() || policy.clientCertificate().isPresent()) {
            opened.watch(scheduler(), listener);
        }
        return opened;
    }

    private ScheduledExecutorService scheduler() {
        ScheduledExecutorService present = watching;
        if (present == null) {
            present = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread thread = new Thread(task, "certificate-watcher");
                thread.setDaemon(true);
                return thread;
            });
            watching = present;
        }
        return present;
    }

    /** No file is followed any more. */
    @Override
    public void close() {
        if (watching != null) {
            watching.shutdownNow();
        }
    }

    /** On any thread. */
    SslContext create(String host, TlsPolicy policy, PemFiles files, CertificateDates dates) throws IOException {
        try {
            Identity identity = null;
            SslContextBuilder builder = SslContextBuilder.forClient()
                    .sslProvider(provider.implementation())
                    .protocols(SslProtocols.TLS_v1_3, SslProtocols.TLS_v1_2)
                    .endpointIdentificationAlgorithm("HTTPS")
                    .applicationProtocolConfig(HTTP_1)
                    .trustManager(new UpstreamTrust(authorities(policy, files), dates::upstream));
            if (policy.clientCertificate().isPresent()) {
                ClientCertificate names = policy.clientCertificate().get();
                identity = Identity.of(files.file(names.certFile()), files.file(names.keyFile()));
                builder.keyManager(new OneIdentity(identity));
            }
            if (!NetUtil.isValidIpV4Address(host) && !NetUtil.isValidIpV6Address(host)) {
                // The JDK would ask for no name without a dot, such as those of services in a cluster.
                builder.serverName(new SNIHostName(host.getBytes(StandardCharsets.US_ASCII)));
            }
            SslContext context = builder.build();
            if (identity != null) {
                dates.own(identity.chain().get(0));
            }
            return context;
        } catch (UnusablePem e) {
            throw new IOException(e.getMessage(), e);
        } catch (GeneralSecurityException e) {
            throw new IOException("certificates cannot be used: " + e.getMessage(), e);
        }
    }

    private X509ExtendedTrustManager authorities(TlsPolicy policy, PemFiles files)
            throws UnusablePem, GeneralSecurityException, IOException {
        if (policy.caFile().isPresent()) {
            return trusting(files.file(policy.caFile().get()).certificates());
        }
        X509ExtendedTrustManager present = platform;
        if (present == null) {
            present = trusting((KeyStore) null);
            platform = present;
        }
        return present;
    }

    private static X509ExtendedTrustManager trusting(List<X509Certificate> authorities)
            throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (int i = 0; i < authorities.size(); i++) {
            store.setCertificateEntry(Integer.toString(i), authorities.get(i));
        }
        return trusting(store);
    }

    /** @param store null for the platform's */
    private static X509ExtendedTrustManager trusting(@Nullable KeyStore store) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509ExtendedTrustManager extended) {
                return extended;
            }
        }
        throw new GeneralSecurityException("this Java has no X.509 trust manager that looks at names");
    }
}
