package io.resilienceproxy.pool;

import io.netty.channel.EventLoop;
import io.resilienceproxy.dns.HostName;
import io.resilienceproxy.dns.NameService;
import io.resilienceproxy.policy.UpstreamUrl;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints of one url: fixed, or as its name is looked up. An endpoint that stays in the answer stays the same.
 *
 * <p>Thread-safe. There is one writer, the event loop of the name.
 */
final class Endpoints {

    private final NameService names;
    private final String host;
    private final int port;
    private final PoolListener listener;
    private final Runnable changed;
    private final @Nullable HostName name;
    private volatile List<Endpoint> present;

    /**
     * @param loop on which the name is looked up
     * @param changed run there when a look-up has ended, whether or not anything is another
     */
    Endpoints(UpstreamUrl url, NameService names, EventLoop loop, PoolListener listener, Runnable changed) {
        this.port = url.port();
        this.listener = listener;
        this.changed = changed;
        this.names = names;
        this.host = url.host();
        this.present = names.fixed(host).stream().map(this::endpoint).toList();
        this.name = names.isAddress(host) ? null : names.open(host, loop, new Answers());
    }

    private final class Answers implements HostName.Listener {
        @Override
        public void onAnswer(List<InetAddress> addresses) {
            List<Endpoint> before = present;
            present = addresses.stream().map(address -> known(before, address)).toList();
            if (!names.isListed(host)) {
                listener.onLookedUp(true);
            }
            changed.run();
        }

        @Override
        public void onNoAnswer() {
            listener.onLookedUp(false);
            changed.run();
        }
    }

    private Endpoint known(List<Endpoint> before, InetAddress address) {
        for (Endpoint endpoint : before) {
            if (endpoint.address().getAddress().equals(address)) {
                return endpoint;
            }
        }
        return endpoint(address);
    }

    private Endpoint endpoint(InetAddress address) {
        return new Endpoint(new InetSocketAddress(address, port));
    }

    /** In the order to try them; empty while none is known. */
    List<Endpoint> present() {
        return present;
    }

    /** Costs a comparison unless a look-up is due. */
    void refreshIfDue(long nowNanos) {
        if (name != null) {
            name.refreshIfDue(nowNanos);
        }
    }

    /** Whether who needs an address should wait for the look-up that is under way. */
    boolean isWorthWaiting(long nowNanos) {
        return name != null && name.isLookingUp() && (present.isEmpty() || name.isStale(nowNanos));
    }

    /**
     * Passes an endpoint over for a time, but never the last one: where there is no choice, it is better than none.
     */
    void eject(Endpoint endpoint, long nowNanos) {
        List<Endpoint> all = present;
        if (!all.contains(endpoint)) {
            return;
        }
        for (Endpoint other : all) {
            if (other != endpoint && other.isUsable(nowNanos)) {
                if (endpoint.eject(nowNanos)) {
                    listener.onEjected(endpoint);
                }
                return;
            }
        }
    }

    int usable(long nowNanos) {
        return (int)
                present.stream().filter(endpoint -> endpoint.isUsable(nowNanos)).count();
    }

    void close() {
        if (name != null) {
            name.close();
        }
    }
}
