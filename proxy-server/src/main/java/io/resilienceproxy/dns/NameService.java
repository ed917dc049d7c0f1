package io.resilienceproxy.dns;

import io.netty.channel.EventLoop;
import io.netty.resolver.DefaultHostsFileEntriesResolver;
import io.netty.resolver.HostsFileEntriesResolver;
import io.netty.resolver.ResolvedAddressTypes;
import io.netty.util.NetUtil;
import io.resilienceproxy.loop.Transport;
import io.resilienceproxy.time.Clock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where addresses come from, as for every program in a pod: an IP address is one; what stands in /etc/hosts is taken from
 * there, as it was when the process began to look into it; the rest is asked of the name servers of /etc/resolv.conf, with
 * its search domains and {@code ndots}, over UDP and, where an answer is cut off, over TCP. Where that names none, it is the
 * one on this machine (resolv.conf(5)) and never a public one.
 *
 * <p>Thread-safe. Nothing of the resolver is loaded before {@link #open}.
 */
public final class NameService {

    /**
     * System property: name servers to ask instead of those of /etc/resolv.conf, as {@code host:port} with an IP address
     * for a host, separated by commas; tried in this order.
     */
    public static final String SERVERS = "resilience-proxy.dns.servers";

    private static final Lookup NO_LOOKUP = new Lookup() {
        @Override
        public void start(Consumer<Found> told) {
            told.accept(Found.NONE);
        }

        @Override
        public void close() {}
    };

    private final Transport transport;
    private final Clock clock;
    private final @Nullable List<InetSocketAddress> servers;

    /** @throws IllegalArgumentException where {@link #SERVERS} is set and is not what it must be */
    public NameService(Transport transport, Clock clock) {
        this.transport = transport;
        this.clock = clock;
        String property = System.getProperty(SERVERS);
        this.servers = property == null
                ? null
                : Stream.of(property.split(",")).map(NameService::server).toList();
    }

    /** The addresses of a host that needs no look-up: an IP address, or a name in /etc/hosts. Empty for every other. */
    public List<InetAddress> fixed(String host) {
        byte[] literal = NetUtil.createByteArrayFromIpAddressString(host);
        if (literal != null) {
            return List.of(address(literal));
        }
        if (HostsFileEntriesResolver.DEFAULT instanceof DefaultHostsFileEntriesResolver hosts) {
            List<InetAddress> listed = hosts.addresses(host, ResolvedAddressTypes.IPV4_PREFERRED);
            return listed == null ? List.of() : inOrder(listed);
        }
        return List.of();
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + bytes.length + " bytes", e);
        }
    }

    private static List<InetAddress> inOrder(List<InetAddress> listed) {
        return AddressOrder.ofThisHost().of(family(listed, 16), family(listed, 4));
    }

    private static List<InetAddress> family(List<InetAddress> addresses, int bytes) {
        return addresses.stream()
                .filter(address -> address.getAddress().length == bytes)
                .toList();
    }

    /**
     * A name that is looked up; closed by its owner.
     *
     * @param loop on which it asks and tells
     */
    public HostName open(String host, EventLoop loop, HostName.Listener listener) {
        List<InetSocketAddress> from = servers == null ? HostsServers.IN_PLACE : servers;
        Lookup ipv6 = NetUtil.isIpV4StackPreferred() ? NO_LOOKUP : NettyLookup.ipv6(host, loop, transport, from);
        Lookup ipv4 = NettyLookup.ipv4(host, loop, transport, from);
        return new HostName(loop, clock, ipv6, ipv4, AddressOrder.ofThisHost(), listener);
    }

    /** Read once, with the first name, as Netty reads it. */
    private static final class HostsServers {
        static final @Nullable List<InetSocketAddress> IN_PLACE = ResolvConf.inPlaceOf(Path.of("/etc/resolv.conf"));
    }

    private static InetSocketAddress server(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon).strip();
        byte[] address = NetUtil.createByteArrayFromIpAddressString(host);
        try {
            int port = Integer.parseInt(text.substring(colon + 1).strip());
            if (address != null && port > 0) {
                return new InetSocketAddress(address(address), port);
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(malformed(text), e);
        }
        throw new IllegalArgumentException(malformed(text));
    }

    private static String malformed(String text) {
        String value = text.isBlank() ? "an empty entry" : text.strip();
        return "system property " + SERVERS + ": " + value
                + " (expected: IP address and port, as in 10.0.0.2:53, several separated by commas)";
    }
}
