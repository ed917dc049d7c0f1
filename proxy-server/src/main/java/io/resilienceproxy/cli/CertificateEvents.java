package io.resilienceproxy.cli;

import io.resilienceproxy.metrics.ProxyMeters;
import io.resilienceproxy.tls.CertificateListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says and counts what became of certificate files that have changed. */
final class CertificateEvents implements CertificateListener {

    private static final Logger LOG = LoggerFactory.getLogger(CertificateEvents.class);

    private final ProxyMeters meters;

    CertificateEvents(ProxyMeters meters) {
        this.meters = meters;
    }

    @Override
    public void onRenewed(String upstream) {
        meters.certificatesRenewed(upstream, true);
        LOG.info("certificates in use system={}: new connections take what the files hold now", upstream);
    }

    @Override
    public void onRefused(String upstream, String reason) {
        meters.certificatesRenewed(upstream, false);
        LOG.error("certificates refused system={}: new connections take those of before: {}", upstream, reason);
    }
}
