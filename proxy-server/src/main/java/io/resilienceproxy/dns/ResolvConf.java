package io.resilienceproxy.dns;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to do where a host names no name server. Netty would ask public ones on the internet then: names of inner systems
 * would leave the cluster, and strangers would say where payments go.
 */
final class ResolvConf {

    private static final int DNS_PORT = 53;
    private static final String KEYWORD = "nameserver";

    private ResolvConf() {}

    /** Null: the file's own are to be asked. Else the one that resolv.conf(5) means, the one on this machine. */
    static @Nullable List<InetSocketAddress> inPlaceOf(Path file) {
        return namesServers(file) ? null : List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), DNS_PORT));
    }

    private static boolean namesServers(Path file) {
        try {
            return Files.readAllLines(file, StandardCharsets.ISO_8859_1).stream()
                    .map(String::strip)
                    .anyMatch(line -> line.startsWith(KEYWORD) && line.length() > KEYWORD.length() + 1);
        } catch (IOException e) {
            return false;
        }
    }
}
