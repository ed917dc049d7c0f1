package io.resilienceproxy.policy;

import org.jspecify.annotations.Nullable;

/**
 * Where an upstream lives.
 *
 * @param scheme {@code http} or {@code https}
 * @param host name or IP address, lower case, an IPv6 address without brackets
 * @param port 1 to 65535, the scheme's default filled in
 * @param basePath put in front of every forwarded path, as written; empty, or starts with {@code /} and does not end
 *     with one
 */
public record UpstreamUrl(String scheme, String host, int port, String basePath) {

    public boolean isHttps() {
        return scheme.equals("https");
    }

    /** The value of the Host field (RFC 9110 section 7.2): without the port where it is the scheme's default. */
    public String authority() {
        String name = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return port == defaultPort(scheme) ? name : name + ":" + port;
    }

    /**
     * The name of the site: host and port, an IPv6 address in brackets. The urls of one upstream differ in it, and it stays
     * the same whatever else of the url changes.
     */
    public String site() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }

    public static int defaultPort(String scheme) {
        return scheme.equals("https") ? 443 : 80;
    }

    // By hand, as in the other records that are compared or hashed at every start: what a record brings of itself is
    // linked
    // on its first use, for several milliseconds and dozens of hidden classes each.

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof UpstreamUrl url
                        && port == url.port
                        && host.equals(url.host)
                        && scheme.equals(url.scheme)
                        && basePath.equals(url.basePath);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * host.hashCode() + port) + basePath.hashCode();
    }

    @Override
    public String toString() {
        return scheme + "://" + authority() + basePath;
    }
}
