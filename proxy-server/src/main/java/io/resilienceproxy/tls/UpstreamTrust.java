package io.resilienceproxy.tls;

import io.resilienceproxy.outcome.FailureKind;
import java.net.Socket;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertPathValidatorException.Reason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * The JDK's judgement of an upstream's certificate, its name included, with the reason of a refusal told apart. Asked in
 * full handshakes only: a resumed session goes back to one that passed here.
 */
final class UpstreamTrust extends X509ExtendedTrustManager {

    private final X509ExtendedTrustManager authorities;
    private final Consumer<X509Certificate> seen;

    /** @param seen told of each certificate that was taken, or refused for its dates alone */
    UpstreamTrust(X509ExtendedTrustManager authorities, Consumer<X509Certificate> seen) {
        this.authorities = authorities;
        this.seen = seen;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        try {
            authorities.checkServerTrusted(chain, authType, engine);
            // A certificate that is its own authority is not looked at any closer by the JDK.
            chain[0].checkValidity();
        } catch (CertificateException e) {
            FailureKind kind = kind(chain, authType, e);
            if (kind == FailureKind.TLS_EXPIRED) {
                seen.accept(chain[0]);
            }
            String message = String.valueOf(e.getMessage());
            throw new RefusedCertificate(
                    kind, kind == FailureKind.TLS_WRONG_NAME ? message + "; it is for " + names(chain[0]) : message, e);
        }
        seen.accept(chain[0]);
    }

    private static List<String> names(X509Certificate certificate) throws CertificateParsingException {
        Collection<List<?>> names = certificate.getSubjectAlternativeNames();
        return names == null
                ? List.of()
                : names.stream().map(name -> String.valueOf(name.get(1))).toList();
    }

    private FailureKind kind(X509Certificate[] chain, String authType, CertificateException refusal) {
        for (Throwable cause = refusal; cause != null; cause = cause.getCause()) {
            if (isAboutDates(cause)) {
                return FailureKind.TLS_EXPIRED;
            }
        }
        try {
            // The same without the name: if it passes now, it was the name.
            authorities.checkServerTrusted(chain, authType);
            return FailureKind.TLS_WRONG_NAME;
        } catch (CertificateException alsoWithoutName) {
            return FailureKind.TLS_UNTRUSTED;
        }
    }

    private static boolean isAboutDates(Throwable cause) {
        if (cause instanceof CertPathValidatorException path) {
            Reason reason = path.getReason();
            return reason == BasicReason.EXPIRED || reason == BasicReason.NOT_YET_VALID;
        }
        return cause instanceof CertificateExpiredException || cause instanceof CertificateNotYetValidException;
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return authorities.getAcceptedIssuers();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw onlyEngines();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw onlyEngines();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw onlyEngines();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw onlyEngines();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        throw onlyEngines();
    }

    /** A check without an engine would be one without a name: nobody may come to rely on it. */
    private static CertificateException onlyEngines() {
        return new CertificateException("upstreams are judged within their handshake only");
    }
}
