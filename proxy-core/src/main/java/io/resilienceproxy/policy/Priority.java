package io.resilienceproxy.policy;

import java.util.Locale;

/** Who is served first and shed last when permits run short; in this order. */
public enum Priority {
    HIGH,
    NORMAL,
    /** Background traffic. */
    LOW;

    private final String token = name().toLowerCase(Locale.ROOT);

    /** As policies, metrics and pages say it. */
    public String token() {
        return token;
    }
}
