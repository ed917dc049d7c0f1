package io.resilienceproxy.admin;

import org.jspecify.annotations.Nullable;

/** Whether the proxy wants traffic. Depends on upstreams only where a policy says so (rules HC-1 to HC-4). Thread-safe. */
@FunctionalInterface
public interface Readiness {

    /** One short line, or null when the proxy is ready. */
    @Nullable
    String whyNotReady();
}
