package io.resilienceproxy.tls;

import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.resilienceproxy.outcome.FailureKind;
import io.resilienceproxy.outcome.TlsAlert;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** TLS with an upstream has failed, in the proxy's own terms. Stackless. */
public final class TlsFailure extends IOException {

    /** The words of the JDK. */
    private static final Pattern JDK_ALERT = Pattern.compile("Received fatal alert: ([a-z_]+)");

    /** The code of BoringSSL: library 16, and 1000 + the alert as the reason. */
    private static final Pattern BORINGSSL_ALERT = Pattern.compile("error:10000([0-9a-f]{3}):");

    private static final int BORINGSSL_ALERTS = 1000;

    private static final int MAX_SHOWN = 300;

    private final transient FailureKind kind;
    private final transient @Nullable TlsAlert alert;

    private TlsFailure(FailureKind kind, @Nullable TlsAlert alert, String message) {
        super(message);
        this.kind = kind;
        this.alert = alert;
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }

    /** What a handshake, or a record behind it, ended with. */
    static TlsFailure of(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RefusedCertificate refused) {
                return new TlsFailure(refused.kind(), null, String.valueOf(refused.getMessage()));
            }
            if (cause instanceof SslHandshakeTimeoutException) {
                return new TlsFailure(FailureKind.CONNECT_TIMEOUT, null, message);
            }
            TlsAlert alert = cause instanceof SSLException ? alert(String.valueOf(cause.getMessage())) : null;
            if (alert != null) {
                return new TlsFailure(FailureKind.TLS_ALERT, alert, message);
            }
        }
        return new TlsFailure(FailureKind.TLS_PROTOCOL, null, message);
    }

    /** Neither implementation says it but in its message. */
    private static @Nullable TlsAlert alert(String message) {
        Matcher jdk = JDK_ALERT.matcher(message);
        if (jdk.find()) {
            return TlsAlert.of(jdk.group(1));
        }
        Matcher boringssl = BORINGSSL_ALERT.matcher(message);
        return boringssl.find() ? TlsAlert.of(Integer.parseInt(boringssl.group(1), 16) - BORINGSSL_ALERTS) : null;
    }

    /** On one line and short: an upstream that nobody trusts has a part in the text. */
    String plainMessage() {
        String message = String.valueOf(getMessage());
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < message.length() && plain.length() < MAX_SHOWN; i++) {
            char c = message.charAt(i);
            plain.append(c >= ' ' && c < 0x7F ? c : '?');
        }
        return plain.toString();
    }

    public FailureKind kind() {
        return kind;
    }

    /** What the upstream said; only with {@link FailureKind#TLS_ALERT}. */
    public @Nullable TlsAlert alert() {
        return alert;
    }
}
