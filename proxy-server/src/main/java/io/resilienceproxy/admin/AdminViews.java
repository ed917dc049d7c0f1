package io.resilienceproxy.admin;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The views that every proxy has, by path. */
public final class AdminViews {

    private AdminViews() {}

    /**
     * {@code /metrics}, {@code /policy}, {@code /livez} and {@code /readyz}, and an index of them at {@code /}.
     *
     * @param metrics the scrape
     * @param policy what the policy in effect is, in YAML
     */
    public static Map<String, AdminView> of(AdminView metrics, AdminView policy, Readiness readiness) {
        SortedMap<String, AdminView> views = new TreeMap<>();
        views.put("/metrics", metrics);
        views.put("/policy", policy);
        views.put("/livez", accept -> AdminPage.text(200, "live"));
        views.put("/readyz", accept -> readiness(readiness.whyNotReady()));
        return indexed(views);
    }

    /** These views and one more; the index names it too. */
    public static Map<String, AdminView> with(Map<String, AdminView> views, String path, AdminView view) {
        SortedMap<String, AdminView> more = new TreeMap<>(views);
        more.remove("/");
        more.put(path, view);
        return indexed(more);
    }

    /** These views; the index names these paths too. */
    public static Map<String, AdminView> indexed(Map<String, AdminView> views, Set<String> paths) {
        SortedSet<String> all = new TreeSet<>(views.keySet());
        all.remove("/");
        all.addAll(paths);
        Map<String, AdminView> more = new TreeMap<>(views);
        AdminPage index = AdminPage.text(200, "resilience-proxy\n" + String.join("\n", all));
        more.put("/", accept -> index);
        return Map.copyOf(more);
    }

    private static Map<String, AdminView> indexed(SortedMap<String, AdminView> views) {
        AdminPage index = AdminPage.text(200, "resilience-proxy\n" + String.join("\n", views.keySet()));
        views.put("/", accept -> index);
        return Map.copyOf(views);
    }

    private static AdminPage readiness(@Nullable String whyNotReady) {
        return whyNotReady == null ? AdminPage.text(200, "ready") : AdminPage.text(503, "not ready: " + whyNotReady);
    }
}
