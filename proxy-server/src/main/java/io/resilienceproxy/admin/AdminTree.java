package io.resilienceproxy.admin;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The pages at a path and below it, each of which may come later. Called on the admin event loop, which it must not make
 * wait; the page may be completed by any thread, in bounded time.
 */
@FunctionalInterface
public interface AdminTree {

    /**
     * One page.
     *
     * @param below what follows the path and its slash; empty for the path itself
     * @return null: there is no such page
     */
    @Nullable
    CompletionStage<AdminPage> render(String below);
}
