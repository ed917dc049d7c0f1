package io.resilienceproxy.dns;

import io.netty.channel.EventLoop;
import io.netty.util.NetUtil;
import io.resilienceproxy.files.FileWatcher;
import io.resilienceproxy.loop.Transport;
import io.resilienceproxy.time.Clock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where addresses come from, as for every program in a pod: an IP address is one; what stands in /etc/hosts is taken from
 * there, as it is now where it is followed; the rest is asked of the name servers of /etc/resolv.conf, with
 * its search domains and {@code ndots}, over UDP and, where an answer is cut off, over TCP. Where that names none, it is the
 * one on this machine (resolv.conf(5)) and never a public one.
 *
 * <p>Thread-safe. Nothing of the resolver is loaded before {@link #open}.
 */
public final class NameService {

    private static final Logger LOG = LoggerFactory.getLogger(NameService.class);
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;

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
    private final Path hostsFile;

    /** Read when it is first needed. */
    private volatile @Nullable HostsFile hosts;

    private final Map<HostName, Opened> open = new ConcurrentHashMap<>();

    private record Opened(String host, HostsFirst ipv6, HostsFirst ipv4) {
        void prepare() {
            ipv6.prepare();
            ipv4.prepare();
        }
    }

    /** @throws IllegalArgumentException where {@link #SERVERS} is set and is not what it must be */
    public NameService(Transport transport, Clock clock) {
        this(transport, clock, HostsFile.OF_THIS_HOST);
    }

    NameService(Transport transport, Clock clock, Path hostsFile) {
        this.hostsFile = hostsFile;
        this.transport = transport;
        this.clock = clock;
        String property = System.getProperty(SERVERS);
        this.servers = property == null
                ? null
                : Stream.of(property.split(",")).map(NameService::server).toList();
    }

    /** Whether it is an IP address: nothing is ever looked up for it. */
    public boolean isAddress(String host) {
        return NetUtil.createByteArrayFromIpAddressString(host) != null;
    }

    /** Whether /etc/hosts has it now. May block where nobody has asked before. */
    public boolean isListed(String host) {
        return !hosts().addresses(host).isEmpty();
    }

    /**
     * The addresses of a host that are known without asking anyone: an IP address, or what /etc/hosts says of a name now. Empty
     * for every other. May block where nobody has asked before.
     */
    public List<InetAddress> fixed(String host) {
        byte[] literal = NetUtil.createByteArrayFromIpAddressString(host);
        return literal == null ? inOrder(hosts().addresses(host)) : List.of(address(literal));
    }

    private HostsFile hosts() {
        HostsFile present = hosts;
        if (present == null) {
            present = HostsFile.read(hostsFile);
            hosts = present;
        }
        return present;
    }

    /**
     * Follows /etc/hosts from now on, for as long as the scheduler runs; once. Names that are open have the addresses that
     * it says within two seconds. Where it cannot be read, what it held before goes on.
     *
     * @param scheduler with one thread, which may block
     */
    public void followHosts(ScheduledExecutorService scheduler) {
        watcher(scheduler).start();
    }

    FileWatcher<HostsFile> watcher(ScheduledExecutorService scheduler) {
        return new FileWatcher<>(
                hostsFile.toString(),
                hosts(),
                () -> open.isEmpty() ? hosts() : HostsFile.read(hostsFile),
                scheduler,
                this::take);
    }

    private boolean take(HostsFile next) {
        HostsFile before = hosts();
        if (next.unreadable() != null) {
            LOG.warn("hosts: file={} cannot be read ({}): what it held before goes on", hostsFile, next.unreadable());
            return true;
        }
        open.values().stream()
                .filter(opened -> next.addresses(opened.host()).isEmpty())
                .forEach(Opened::prepare);
        hosts = next;
        open.forEach((name, opened) -> {
            if (!next.addresses(opened.host()).equals(before.addresses(opened.host()))) {
                LOG.info("hosts: file={} says something new of {}", hostsFile, opened.host());
                name.expire();
            }
        });
        return true;
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + bytes.length + " bytes", e);
        }
    }

    private static List<InetAddress> inOrder(List<InetAddress> listed) {
        return AddressOrder.ofThisHost().of(family(listed, IPV6_BYTES), family(listed, IPV4_BYTES));
    }

    private static List<InetAddress> family(List<InetAddress> addresses, int bytes) {
        return addresses.stream()
                .filter(address -> address.getAddress().length == bytes)
                .toList();
    }

    /**
     * A name that is looked up, first in /etc/hosts; closed by its owner. Blocks where the resolver has to be loaded.
     *
     * @param loop on which it asks and tells
     */
    public HostName open(String host, EventLoop loop, HostName.Listener listener) {
        Opened opened = new Opened(
                host,
                new HostsFirst(IPV6_BYTES, () -> hosts().addresses(host), () -> ipv6(host, loop)),
                new HostsFirst(
                        IPV4_BYTES,
                        () -> hosts().addresses(host),
                        () -> NettyLookup.ipv4(host, loop, transport, from())));
        HostName name = new HostName(loop, clock, opened.ipv6(), opened.ipv4(), AddressOrder.ofThisHost(), listener);
        open.keySet().removeIf(HostName::isClosed);
        open.put(name, opened);
        if (!isListed(host)) {
            opened.prepare();
        }
        return name;
    }

    private Lookup ipv6(String host, EventLoop loop) {
        return NetUtil.isIpV4StackPreferred() ? NO_LOOKUP : NettyLookup.ipv6(host, loop, transport, from());
    }

    private @Nullable List<InetSocketAddress> from() {
        return servers == null ? HostsServers.IN_PLACE : servers;
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
