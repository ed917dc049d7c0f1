package io.resilienceproxy.policy;

/**
 * Where a listener binds.
 *
 * @param host an IP address or a name of this machine
 * @param port 0 to 65535; 0 takes any free port
 */
public record ListenAddress(String host, int port) {

    public static final ListenAddress DEFAULT_LISTEN = new ListenAddress("127.0.0.1", 8480);

    @Override
    public String toString() {
        return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
    }
}
