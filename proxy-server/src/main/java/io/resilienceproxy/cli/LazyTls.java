package io.resilienceproxy.cli;

import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.policy.UpstreamUrl;
import io.resilienceproxy.tls.CertificateListener;
import io.resilienceproxy.tls.TlsContexts;
import io.resilienceproxy.tls.TlsProvider;
import io.resilienceproxy.tls.UpstreamTls;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** TLS from the first https upstream on: a process without one never loads it. Used by one thread at a time. */
final class LazyTls implements AutoCloseable {

    private final CertificateListener listener;
    private @Nullable TlsContexts contexts;

    LazyTls(CertificateListener listener) {
        this.listener = listener;
    }

    /**
     * Null for an http url.
     *
     * @throws IOException where a certificate file cannot be used
     */
    @Nullable
    UpstreamTls of(UpstreamPolicy upstream, UpstreamUrl url) throws IOException {
        if (!url.isHttps()) {
            return null;
        }
        TlsContexts present = contexts;
        if (present == null) {
            present = new TlsContexts(TlsProvider.choose(), listener);
            contexts = present;
        }
        return present.open(upstream.name(), url, upstream.tls());
    }

    @Override
    public void close() {
        if (contexts != null) {
            contexts.close();
        }
    }
}
