package io.resilienceproxy.routing;

import io.resilienceproxy.policy.UpstreamUrl;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which upstream the authority of a request addresses: {@code host} or {@code host:port}, in any case.
 *
 * <p>The closest entry wins: a listed {@code host:port}; then, for the plain host and its port 80, a listed {@code host}
 * before the url of an upstream, and for other ports the url before the listed host, which stands for every port. An url
 * stands for its own authority only, with or without its scheme's default port, and for nothing where two upstreams
 * share it. Immutable; thread-safe.
 */
final class Authorities {

    private static final String HTTP_PORT = ":80";

    private final NameTable<Upstream> exact;
    private final NameTable<Upstream> anyPort;

    Authorities(List<Upstream> upstreams) {
        Map<String, Upstream> exactly = new HashMap<>();
        Map<String, Upstream> onAnyPort = new HashMap<>();
        // From the weakest to the strongest: what comes later replaces.
        addUrls(upstreams, exactly);
        upstreams.forEach(upstream -> addHosts(upstream, exactly, onAnyPort));
        upstreams.forEach(upstream -> addHostsWithPort(upstream, exactly, onAnyPort));
        this.exact = new NameTable<>(exactly);
        this.anyPort = new NameTable<>(onAnyPort);
    }

    private static void addUrls(List<Upstream> upstreams, Map<String, Upstream> exactly) {
        Map<String, Set<Upstream>> sharers = new HashMap<>();
        for (Upstream upstream : upstreams) {
            for (UpstreamUrl url : upstream.policy().urls()) {
                sharers.computeIfAbsent(url.authority(), ignored -> Collections.newSetFromMap(new IdentityHashMap<>()))
                        .add(upstream);
            }
        }
        for (Upstream upstream : upstreams) {
            for (UpstreamUrl url : upstream.policy().urls()) {
                if (sharers.get(url.authority()).size() == 1) {
                    exactly.put(url.authority(), upstream);
                    exactly.put(withPort(url), upstream);
                }
            }
        }
    }

    private static void addHosts(Upstream upstream, Map<String, Upstream> exactly, Map<String, Upstream> onAnyPort) {
        for (String host : upstream.policy().hosts()) {
            if (portColon(host) < 0) {
                exactly.put(host, upstream);
                exactly.put(host + HTTP_PORT, upstream);
                onAnyPort.put(host, upstream);
            }
        }
    }

    private static void addHostsWithPort(
            Upstream upstream, Map<String, Upstream> exactly, Map<String, Upstream> onAnyPort) {
        for (String host : upstream.policy().hosts()) {
            int colon = portColon(host);
            if (colon < 0) {
                continue;
            }
            exactly.put(host, upstream);
            String plain = host.substring(0, colon);
            if (host.endsWith(HTTP_PORT) && !onAnyPort.containsKey(plain)) {
                exactly.put(plain, upstream);
            }
        }
    }

    @Nullable
    Upstream find(String authority) {
        String name = authority.toLowerCase(Locale.ROOT);
        int colon = portColon(name);
        // An empty port is the default one (RFC 3986 section 3.2.3).
        int end = colon == name.length() - 1 ? colon : name.length();
        Upstream found = exact.find(name, 0, Math.max(end, 0));
        return found == null && colon > 0 && isNumber(name, colon + 1) ? anyPort.find(name, 0, colon) : found;
    }

    /** Whether an authority means this upstream, also by an url that it shares with another. */
    boolean names(String authority, Upstream upstream) {
        if (find(authority) == upstream) {
            return true;
        }
        for (UpstreamUrl url : upstream.policy().urls()) {
            if (authority.equalsIgnoreCase(url.authority()) || authority.equalsIgnoreCase(withPort(url))) {
                return true;
            }
        }
        return false;
    }

    private static String withPort(UpstreamUrl url) {
        boolean elided = url.port() == UpstreamUrl.defaultPort(url.scheme());
        return elided ? url.authority() + ":" + url.port() : url.authority();
    }

    /** Where the colon in front of the port stands, or -1; the colons of an IPv6 literal stand before its bracket. */
    private static int portColon(String authority) {
        int colon = authority.lastIndexOf(':');
        return authority.indexOf(']', colon + 1) < 0 ? colon : -1;
    }

    private static boolean isNumber(String text, int start) {
        for (int i = start; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }
}
