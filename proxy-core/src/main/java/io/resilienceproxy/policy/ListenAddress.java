package io.resilienceproxy.policy;

import org.jspecify.annotations.Nullable;

/**
 * Where a listener binds.
 *
 * @param host an IP address or a name of this machine
 * @param port 0 to 65535; 0 takes any free port
 */
public record ListenAddress(String host, int port) {

    public static final ListenAddress DEFAULT_LISTEN = new ListenAddress("127.0.0.1", 8480);

    // By hand, for the start's sake: see UpstreamUrl.

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ListenAddress address && port == address.port && host.equals(address.host);
    }

    @Override
    public int hashCode() {
        return 31 * host.hashCode() + port;
    }

    @Override
    public String toString() {
        return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }
}
