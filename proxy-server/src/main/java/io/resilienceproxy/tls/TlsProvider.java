package io.resilienceproxy.tls;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who does the cryptography and the records; certificates are judged by the JDK either way. */
public enum TlsProvider {
    /** Native: less processor time and half the garbage. */
    BORINGSSL("boringssl", SslProvider.OPENSSL),
    JDK("jdk", SslProvider.JDK);

    /** The system property that chooses by hand: {@code jdk}, or {@code auto} as without it. */
    public static final String PROPERTY = "resilience-proxy.tls-provider";

    private static final Logger LOG = LoggerFactory.getLogger(TlsProvider.class);
    private static final String AUTO = "auto";

    private final String token;
    private final SslProvider implementation;

    TlsProvider(String token, SslProvider implementation) {
        this.token = token;
        this.implementation = implementation;
    }

    /**
     * BoringSSL where its native library loads and nothing else is asked for, with a log line that says which it is. Loads
     * the library: to be asked once.
     */
    public static TlsProvider choose() {
        String asked = System.getProperty(PROPERTY, AUTO);
        TlsProvider chosen = JDK;
        String why;
        if (asked.equals(JDK.token)) {
            why = PROPERTY + "=" + asked;
        } else if (OpenSsl.isAvailable()) {
            chosen = BORINGSSL;
            why = OpenSsl.versionString();
        } else {
            why = "no native library: " + reason(OpenSsl.unavailabilityCause());
        }
        if (!asked.equals(JDK.token) && !asked.equals(AUTO)) {
            LOG.warn("tls: {}={} is passed over (expected: jdk or auto)", PROPERTY, asked);
        }
        LOG.info("tls: provider={} ({})", chosen.token, why);
        return chosen;
    }

    private static String reason(Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage()).lines().findFirst().orElse("");
    }

    /** As logs and metrics call it. */
    public String token() {
        return token;
    }

    SslProvider implementation() {
        return implementation;
    }
}
