package io.resilienceproxy.outcome;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The fatal alerts by which a TLS peer says why it ends a connection (RFC 8446 section 6, RFC 5246 section 7.2). */
public enum TlsAlert {
    UNEXPECTED_MESSAGE(10),
    BAD_RECORD_MAC(20),
    RECORD_OVERFLOW(22),
    DECOMPRESSION_FAILURE(30),
    HANDSHAKE_FAILURE(40),
    BAD_CERTIFICATE(42),
    UNSUPPORTED_CERTIFICATE(43),
    CERTIFICATE_REVOKED(44),
    CERTIFICATE_EXPIRED(45),
    CERTIFICATE_UNKNOWN(46),
    ILLEGAL_PARAMETER(47),
    UNKNOWN_CA(48),
    ACCESS_DENIED(49),
    DECODE_ERROR(50),
    DECRYPT_ERROR(51),
    PROTOCOL_VERSION(70),
    INSUFFICIENT_SECURITY(71),
    INTERNAL_ERROR(80),
    INAPPROPRIATE_FALLBACK(86),
    USER_CANCELED(90),
    NO_RENEGOTIATION(100),
    MISSING_EXTENSION(109),
    UNSUPPORTED_EXTENSION(110),
    UNRECOGNIZED_NAME(112),
    BAD_CERTIFICATE_STATUS_RESPONSE(113),
    UNKNOWN_PSK_IDENTITY(115),
    CERTIFICATE_REQUIRED(116),
    NO_APPLICATION_PROTOCOL(120);

    private final int id;
    private final String token;

    TlsAlert(int id) {
        this.id = id;
        this.token = name().toLowerCase(Locale.ROOT);
    }

    /** Its number in the registry of TLS alerts. */
    public int id() {
        return id;
    }

    /** Its name there, such as {@code certificate_required}. */
    public String token() {
        return token;
    }

    /** Null: no number of a fatal alert that we know. */
    public static @Nullable TlsAlert of(int id) {
        for (TlsAlert alert : values()) {
            if (alert.id == id) {
                return alert;
            }
        }
        return null;
    }

    /** Null: no name of a fatal alert that we know. */
    public static @Nullable TlsAlert of(String token) {
        for (TlsAlert alert : values()) {
            if (alert.token.equals(token)) {
                return alert;
            }
        }
        return null;
    }
}
