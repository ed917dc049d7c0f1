package io.resilienceproxy.dns;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The order in which the addresses of a name are tried (RFC 8305 section 4): IPv6 first, the families in turn, each in the
 * order of its answer. Where this host has no route to the IPv6 addresses, they are left out, as long as there are others.
 */
final class AddressOrder {

    /** More than any balancer in DNS publishes at once; a choice looks at all of them. */
    static final int MOST_ADDRESSES = 64;

    private static final int ANY_PORT = 9;

    private final Predicate<InetAddress> hasRoute;

    /** @param hasRoute whether packets to an IPv6 address would leave this host */
    AddressOrder(Predicate<InetAddress> hasRoute) {
        this.hasRoute = hasRoute;
    }

    /** By the routing table of this host; no packet is sent. */
    static AddressOrder ofThisHost() {
        return new AddressOrder(AddressOrder::canConnect);
    }

    List<InetAddress> of(List<InetAddress> ipv6, List<InetAddress> ipv4) {
        boolean withoutIpv6 = ipv6.isEmpty() || !ipv4.isEmpty() && !hasRoute.test(ipv6.get(0));
        List<InetAddress> first = withoutIpv6 ? ipv4 : ipv6;
        List<InetAddress> second = withoutIpv6 ? List.of() : ipv4;
        List<InetAddress> ordered = new ArrayList<>();
        for (int i = 0; i < Math.max(first.size(), second.size()); i++) {
            addTo(ordered, first, i);
            addTo(ordered, second, i);
        }
        return List.copyOf(ordered);
    }

    private static void addTo(List<InetAddress> ordered, List<InetAddress> family, int index) {
        if (index < family.size() && ordered.size() < MOST_ADDRESSES && !ordered.contains(family.get(index))) {
            ordered.add(family.get(index));
        }
    }

    /** Connecting a datagram socket looks up the route and does nothing else. */
    private static boolean canConnect(InetAddress address) {
        try (DatagramChannel probe = DatagramChannel.open(StandardProtocolFamily.INET6)) {
            probe.connect(new InetSocketAddress(address, ANY_PORT));
            return true;
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }
}
