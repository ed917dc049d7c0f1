package io.resilienceproxy.admin;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Who may change something: a program of this pod or machine, and no other. Its peer address alone does not tell. A service
 * mesh hands remote requests on from a loopback address of its own, 127.0.0.6, and a browser asks on behalf of a page, under
 * whatever name it has resolved.
 */
final class LocalCaller {

    private static final Set<String> PEERS = Set.of("127.0.0.1", "0:0:0:0:0:0:0:1");
    private static final Pattern HOST = Pattern.compile("(?i)(localhost|127\\.0\\.0\\.1|\\[::1])(:[0-9]{1,5})?");

    private LocalCaller() {}

    static boolean is(SocketAddress peer, HttpHeaders fields) {
        String host = fields.get(HttpHeaderNames.HOST);
        return peer instanceof InetSocketAddress address
                && PEERS.contains(address.getAddress().getHostAddress())
                && host != null
                && HOST.matcher(host).matches()
                && !fields.contains(HttpHeaderNames.ORIGIN);
    }
}
