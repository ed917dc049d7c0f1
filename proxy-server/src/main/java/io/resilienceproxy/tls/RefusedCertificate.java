package io.resilienceproxy.tls;

import io.resilienceproxy.outcome.FailureKind;
import java.security.cert.CertificateException;

/** The upstream's certificate is not taken, with the reason in one word. It travels out of the handshake as a cause. */
final class RefusedCertificate extends CertificateException {

    private final transient FailureKind kind;

    RefusedCertificate(FailureKind kind, String message, CertificateException cause) {
        super(message, cause);
        this.kind = kind;
    }

    FailureKind kind() {
        return kind;
    }
}
