package io.resilienceproxy.dns;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A look-up of one family that asks the name servers only for what the hosts file does not list: a name that is in it has
 * the addresses that it says and no others.
 */
final class HostsFirst implements Lookup {

    private final int addressBytes;
    private final Supplier<List<InetAddress>> listed;
    private final Supplier<Lookup> opening;
    private final AtomicReference<@Nullable Lookup> servers = new AtomicReference<>();

    /**
     * @param addressBytes 4 or 16: the family
     * @param listed what the hosts file says now, of both families; empty: nothing. Does not block
     * @param opening makes the look-up for everything else; may block
     */
    HostsFirst(int addressBytes, Supplier<List<InetAddress>> listed, Supplier<Lookup> opening) {
        this.addressBytes = addressBytes;
        this.listed = listed;
        this.opening = opening;
    }

    /** To be called, on a thread that may block, before the host is not listed: the resolver takes long to load. */
    void prepare() {
        servers();
    }

    private Lookup servers() {
        Lookup present = servers.get();
        if (present != null) {
            return present;
        }
        Lookup opened = opening.get();
        if (servers.compareAndSet(null, opened)) {
            return opened;
        }
        opened.close();
        return servers();
    }

    /** What becomes listed while servers are asked comes before their answer. */
    @Override
    public void start(Consumer<Found> told) {
        List<InetAddress> now = listed.get();
        if (now.isEmpty()) {
            servers().start(found -> {
                List<InetAddress> meanwhile = listed.get();
                told.accept(meanwhile.isEmpty() ? found : ofFamily(meanwhile));
            });
        } else {
            told.accept(ofFamily(now));
        }
    }

    private Found ofFamily(List<InetAddress> addresses) {
        List<InetAddress> own = addresses.stream()
                .filter(address -> address.getAddress().length == addressBytes)
                .toList();
        return own.isEmpty() ? Found.NONE : Found.addresses(own, Found.NO_TTL);
    }

    @Override
    public void close() {
        Lookup present = servers.get();
        if (present != null) {
            present.close();
        }
    }
}
