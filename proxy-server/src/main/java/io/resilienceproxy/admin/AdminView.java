package io.resilienceproxy.admin;

import org.jspecify.annotations.Nullable;

/** What is shown at one path. Called on the admin event loop: it may take milliseconds, and must not wait for anything. */
@FunctionalInterface
public interface AdminView {

    /** @param accept the Accept field of the request, null when absent */
    AdminPage render(@Nullable String accept);
}
