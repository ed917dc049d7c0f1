package io.resilienceproxy.config;

import io.resilienceproxy.policy.UpstreamUrl;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Hosts, authorities and urls; nothing is resolved. */
final class Addresses {

    /** Scheme, authority, and the rest; the subset of RFC 3986 that an upstream needs. */
    private static final Pattern URL = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)(.*)");

    private static final Pattern AUTHORITY = Pattern.compile("(\\[[^\\[\\]]*]|[^:\\[\\]]*)(?::([0-9]{1,5}))?");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?");
    private static final Pattern IPV4 = Pattern.compile("((25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(\\.(?!$)|$)){4}");
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]{2,45}");
    private static final String EXPECTED_URL = "http://host or https://host, with an optional :port and /path";

    static final Type<UpstreamUrl> UPSTREAM = new UrlType();
    static final Type<String> HOST_FIELD = Type.of(new Form.Fixed("[A-Za-z0-9_.:\\[\\]-]+"), Addresses::hostField);
    static final Type<String> SERVER_NAME = Type.of(new Form.Fixed("[A-Za-z0-9_.-]+"), Addresses::serverName);
    static final Type<String> HOST = Type.of(new Form.Fixed("[A-Za-z0-9_.:-]+"), Addresses::host);

    private Addresses() {}

    /** Of a url from the environment all is shown but its path, which may hold what its owner calls a token. */
    private record UrlType() implements Type<UpstreamUrl> {
        @Override
        public UpstreamUrl parse(String text) throws Mismatch {
            return url(text);
        }

        @Override
        public String show(UpstreamUrl value) {
            return value.toString();
        }

        @Override
        public Form form() {
            return new Form.Free("[Hh][Tt][Tt][Pp][Ss]?://[^/?#@]+(/[^?#]*)?");
        }

        @Override
        public String masked(String text) {
            Matcher url = URL.matcher(text);
            if (!url.matches()) {
                return "***";
            }
            boolean path = !url.group(3).isEmpty() && !url.group(3).equals("/");
            return url.group(1) + "://" + url.group(2) + (path ? "/***" : "");
        }
    }

    /**
     * An absolute http or https url without user information, query or fragment. A path of {@code /} is no path (RFC 3986 section
     * 6.2.3); any other must not end with a slash, because it is put in front of paths that start with one.
     */
    static UpstreamUrl url(String text) throws Type.Mismatch {
        Matcher url = URL.matcher(text);
        if (!url.matches()) {
            throw new Type.Mismatch(EXPECTED_URL);
        }
        String scheme = url.group(1).toLowerCase(Locale.ROOT);
        boolean known = scheme.equals("http") || scheme.equals("https");
        if (!known || url.group(2).contains("@")) {
            throw new Type.Mismatch(EXPECTED_URL + (known ? ", without user information" : ""));
        }
        Authority authority = authority(url.group(2), EXPECTED_URL);
        String rest = url.group(3);
        if (rest.indexOf('?') >= 0 || rest.indexOf('#') >= 0) {
            throw new Type.Mismatch(EXPECTED_URL + ", without query and fragment");
        }
        String basePath = rest.isEmpty() || rest.equals("/") ? "" : Words.path(rest);
        Integer port = authority.port();
        return new UpstreamUrl(
                scheme, authority.host(), port == null ? UpstreamUrl.defaultPort(scheme) : port, basePath);
    }

    /** {@code host} or {@code host:port} as in a Host field, in lower case; http's default port is left out. */
    static String hostField(String text) throws Type.Mismatch {
        Authority authority = authority(text, "a host, or host:port, without a scheme");
        int port = authority.port() == null ? UpstreamUrl.defaultPort("http") : authority.port();
        return new UpstreamUrl("http", authority.host(), port, "").authority();
    }

    /** What a certificate is issued for: a name and no address, because SNI has no addresses (RFC 6066 section 3). */
    static String serverName(String text) throws Type.Mismatch {
        if (!isHost(text) || IPV4.matcher(text).matches()) {
            throw new Type.Mismatch("a host name, without a port");
        }
        return text.toLowerCase(Locale.ROOT);
    }

    /** What a listener binds: a name or an address, an IPv6 address without brackets. */
    static String host(String text) throws Type.Mismatch {
        if (!isHost(text) && !isIpv6(text)) {
            throw new Type.Mismatch("a host name or an IP address, without a port");
        }
        return text.toLowerCase(Locale.ROOT);
    }

    private record Authority(String host, @Nullable Integer port) {}

    private static Authority authority(String text, String expected) throws Type.Mismatch {
        Matcher parts = AUTHORITY.matcher(text);
        if (!parts.matches()) {
            throw new Type.Mismatch(expected);
        }
        String host = parts.group(1);
        boolean brackets = host.startsWith("[");
        String bare = brackets ? host.substring(1, host.length() - 1) : host;
        if (brackets ? !isIpv6(bare) : !isHost(bare)) {
            throw new Type.Mismatch(expected);
        }
        @Nullable String digits = parts.group(2);
        Integer port = digits == null ? null : Numbers.whole(1, 65_535).parse(digits);
        return new Authority(bare.toLowerCase(Locale.ROOT), port);
    }

    private static boolean isHost(String text) {
        if (text.length() > 253 || !text.chars().allMatch(c -> c < 0x80)) {
            return false;
        }
        String[] labels = text.split("\\.", -1);
        for (String label : labels) {
            if (label.length() > 63 || !NAME.matcher(label).matches()) {
                return false;
            }
        }
        boolean number = labels[labels.length - 1].chars().allMatch(Character::isDigit);
        return !number || IPV4.matcher(text).matches();
    }

    private static boolean isIpv6(String text) {
        if (!IPV6.matcher(text).matches() || text.indexOf(':') < 0) {
            return false;
        }
        try {
            // Text with a colon is an address or an error to the JDK: it is never looked up.
            return InetAddress.getByName(text) != null;
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
