package io.resilienceproxy.policy;

import java.util.Set;

/**
 * Which requests belong to a route.
 *
 * @param path whole path segments that the request's path starts with, as written and never normalised; empty matches
 *     every path, otherwise it starts with {@code /} and does not end with one
 * @param methods methods that match; empty matches all
 */
public record RouteMatch(String path, Set<String> methods) {

    public static final RouteMatch ANY = new RouteMatch("", Set.of());

    public RouteMatch {
        methods = Set.copyOf(methods);
    }

    /**
     * Whether the request belongs to this route.
     *
     * @param method the request method; case-sensitive (RFC 9110 section 9.1)
     * @param target the origin-form target
     * @param start where the path begins in {@code target}, behind a routed prefix
     */
    public boolean matches(String method, String target, int start) {
        if (!methods.isEmpty() && !methods.contains(method)) {
            return false;
        }
        if (path.isEmpty()) {
            return true;
        }
        int end = start + path.length();
        return target.startsWith(path, start) && (end == target.length() || isSegmentEnd(target.charAt(end)));
    }

    private static boolean isSegmentEnd(char c) {
        return c == '/' || c == '?';
    }
}
