package io.resilienceproxy.tls;

import java.security.cert.X509Certificate;

/** Until when the certificates of one upstream are valid. Written in handshakes and when files are read, read by any thread. */
public final class CertificateDates {

    /** Nothing is known: no handshake yet, or no certificate of our own. */
    public static final long UNKNOWN = Long.MIN_VALUE;

    private volatile long upstreamMillis = UNKNOWN;
    private volatile long ownMillis = UNKNOWN;

    CertificateDates() {}

    /** The certificate that the last full handshake showed, also one refused because it has expired; Unix time. */
    public long upstreamMillis() {
        return upstreamMillis;
    }

    /** Our own, which the upstream is shown; Unix time. */
    public long ownMillis() {
        return ownMillis;
    }

    void upstream(X509Certificate certificate) {
        upstreamMillis = certificate.getNotAfter().getTime();
    }

    void own(X509Certificate certificate) {
        ownMillis = certificate.getNotAfter().getTime();
    }
}
