package io.resilienceproxy.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Maps an upstream's own addresses in a response to the ones by which the caller reached it, so that a redirect stays
 * inside the proxy: Location and Content-Location (RFC 9110 sections 10.2.2 and 8.7), and the Path of Set-Cookie (RFC 6265
 * section 4.1.2.4), which also keeps the cookies of upstreams that share one listener apart.
 *
 * <p>Its own is an absolute or network-path reference with the upstream's scheme, host and port, or a path, and in each case
 * at or below the base path. Everything else passes untouched: other hosts, other schemes, paths beside the base path,
 * paths with dot segments, of which only their resolution would tell where they lead, and relative references, which hold
 * on both sides. A caller that addressed the upstream by its own name, as through {@code HTTP_PROXY}, keeps that name.
 *
 * <p>One per upstream address; immutable, shared. A response without these fields costs three look-ups.
 */
public final class AddressMapping {

    private static final String HOST_PREFIX = "__Host-";

    private final String scheme;
    private final String origin;
    private final String originWithPort;
    private final String basePath;

    /**
     * @param scheme {@code http} or {@code https}
     * @param authority without the scheme's default port
     * @param port the scheme's default filled in
     * @param basePath empty, or starts with {@code /} and does not end with one
     */
    public AddressMapping(String scheme, String authority, int port, String basePath) {
        this.scheme = scheme + ":";
        this.origin = "//" + authority;
        this.originWithPort = authority.endsWith(":" + port) ? origin : origin + ":" + port;
        this.basePath = basePath;
    }

    /**
     * Maps the fields of a response in place.
     *
     * @param request to which it is the answer
     * @param prefixLength how many characters of its target addressed the upstream
     */
    public void toCaller(HttpHeaders fields, RequestHead request, int prefixLength) {
        boolean located = fields.contains(HttpHeaderNames.LOCATION);
        boolean locatesContent = fields.contains(HttpHeaderNames.CONTENT_LOCATION);
        boolean setsCookies = fields.contains(HttpHeaderNames.SET_COOKIE);
        if (!located && !locatesContent && !setsCookies) {
            return;
        }
        String prefix = request.target().substring(0, prefixLength);
        String authority = request.authority() != null
                ? request.authority()
                : request.fields().get(HttpHeaderNames.HOST);
        if (located) {
            mapReference(fields, HttpHeaderNames.LOCATION, prefix, authority);
        }
        if (locatesContent) {
            mapReference(fields, HttpHeaderNames.CONTENT_LOCATION, prefix, authority);
        }
        if (setsCookies && !(prefix.isEmpty() && basePath.isEmpty())) {
            mapCookies(fields, prefix);
        }
    }

    private void mapReference(HttpHeaders fields, AsciiString name, String prefix, @Nullable String authority) {
        String value = fields.get(name);
        String mapped = reference(value, prefix, authority);
        if (!mapped.equals(value)) {
            fields.set(name, mapped);
        }
    }

    private void mapCookies(HttpHeaders fields, String prefix) {
        List<String> values = fields.getAll(HttpHeaderNames.SET_COOKIE);
        List<String> mapped = new ArrayList<>(values.size());
        values.forEach(value -> mapped.add(cookie(value, prefix)));
        if (!mapped.equals(values)) {
            fields.set(HttpHeaderNames.SET_COOKIE, mapped);
        }
    }

    /**
     * One URI reference.
     *
     * @param prefix of the caller's path, {@code /<upstream>} or empty
     * @param authority that the caller used; null where it named none: then the result is a path
     */
    String reference(String value, String prefix, @Nullable String authority) {
        int start = value.regionMatches(true, 0, scheme, 0, scheme.length()) ? scheme.length() : 0;
        int pathStart = value.startsWith("//", start) ? originEnd(value, start) : start > 0 ? -1 : 0;
        if (pathStart < 0 || !isBelowBase(value, pathStart) || hasDotSegments(value, pathStart)) {
            return value;
        }
        String path = underPrefix(value.substring(pathStart + basePath.length()), prefix);
        if (pathStart == 0) {
            return path;
        }
        if (authority == null) {
            return path;
        }
        boolean same = prefix.isEmpty() && basePath.isEmpty() && isOwn(authority);
        boolean sameScheme = start == 0 || scheme.equals("http:");
        return same && sameScheme ? value : (start == 0 ? "//" : "http://") + authority + path;
    }

    private boolean isOwn(String authority) {
        String reference = "//" + authority;
        return reference.equalsIgnoreCase(origin) || reference.equalsIgnoreCase(originWithPort);
    }

    /** Where the path of a reference to this origin starts, or -1 when the reference leads elsewhere. */
    private int originEnd(String value, int start) {
        for (String own : new String[] {originWithPort, origin}) {
            int end = start + own.length();
            if (value.regionMatches(true, start, own, 0, own.length()) && endsSegment(value, end)) {
                return end;
            }
        }
        return -1;
    }

    /** At the base path itself, or at a segment, query or fragment behind it. */
    private boolean isBelowBase(String value, int pathStart) {
        boolean path = pathStart > 0 || value.startsWith("/");
        return path && value.startsWith(basePath, pathStart) && endsSegment(value, pathStart + basePath.length());
    }

    private static boolean endsSegment(String value, int at) {
        return at >= value.length() || "/?#".indexOf(value.charAt(at)) >= 0;
    }

    private static boolean hasDotSegments(String value, int pathStart) {
        int end = pathStart;
        while (end < value.length() && value.charAt(end) != '?' && value.charAt(end) != '#') {
            end++;
        }
        String path = value.substring(pathStart, end) + "/";
        return path.contains("/./") || path.contains("/../");
    }

    /** What follows the base path, behind the prefix: never without a slash to begin with. */
    private static String underPrefix(String rest, String prefix) {
        return prefix.isEmpty() && !rest.startsWith("/") ? "/" + rest : prefix + rest;
    }

    /**
     * One Set-Cookie value: its Path attributes are mapped, every other byte stays. A cookie whose name demands that its path
     * is {@code /} would be refused with another one.
     */
    String cookie(String value, String prefix) {
        int attribute = value.indexOf(';');
        if (attribute < 0 || value.regionMatches(true, 0, HOST_PREFIX, 0, HOST_PREFIX.length())) {
            return value;
        }
        StringBuilder mapped = new StringBuilder(value.length() + prefix.length()).append(value, 0, attribute);
        while (attribute < value.length()) {
            int end = value.indexOf(';', attribute + 1);
            end = end < 0 ? value.length() : end;
            appendAttribute(mapped, value.substring(attribute, end), prefix);
            attribute = end;
        }
        return mapped.toString();
    }

    private void appendAttribute(StringBuilder out, String attribute, String prefix) {
        int equals = attribute.indexOf('=');
        if (equals < 0 || !attribute.substring(1, equals).strip().equalsIgnoreCase("path")) {
            out.append(attribute);
            return;
        }
        String padded = attribute.substring(equals + 1);
        String path = padded.strip();
        int start = padded.indexOf(path);
        out.append(attribute, 0, equals + 1)
                .append(padded, 0, start)
                .append(cookiePath(path, prefix))
                .append(padded, start + path.length(), padded.length());
    }

    /** A path that covers the base path covers all that the caller can reach; one beside it nothing. */
    private String cookiePath(String path, String prefix) {
        if (!path.startsWith("/")) {
            return path;
        }
        boolean prefixOfBase =
                basePath.startsWith(path) && (path.endsWith("/") || endsSegment(basePath, path.length()));
        if (path.equals("/") || prefixOfBase) {
            return prefix.isEmpty() ? "/" : prefix;
        }
        boolean below = path.startsWith(basePath) && endsSegment(path, basePath.length());
        return below ? underPrefix(path.substring(basePath.length()), prefix) : path;
    }
}
