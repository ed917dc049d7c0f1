package io.resilienceproxy.fallback;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Locale;
import java.util.Set;

/** What {@code Cache-Control} says about keeping an answer (RFC 9111 section 5.2). */
final class CacheControl {

    /**
     * Directives of a response that forbid to keep it here, or to give it once it is stale, also when the upstream cannot
     * be reached (RFC 9111 section 4.2.4). With or without an argument.
     */
    private static final Set<String> FORBIDDING =
            Set.of("no-store", "private", "no-cache", "must-revalidate", "proxy-revalidate", "s-maxage");

    private CacheControl() {}

    static boolean forbidsKeeping(HttpHeaders response) {
        return containsAny(response, FORBIDDING);
    }

    static boolean isNoStore(HttpHeaders request) {
        return containsAny(request, Set.of("no-store"));
    }

    private static boolean containsAny(HttpHeaders fields, Set<String> directives) {
        for (String line : fields.getAll(HttpHeaderNames.CACHE_CONTROL)) {
            // A comma within a quoted argument cuts it: what comes out is refused too often at the worst.
            for (String directive : line.split(",")) {
                int equals = directive.indexOf('=');
                String name = equals < 0 ? directive : directive.substring(0, equals);
                if (directives.contains(name.strip().toLowerCase(Locale.ROOT))) {
                    return true;
                }
            }
        }
        return false;
    }
}
