package io.resilienceproxy.cli;

import io.resilienceproxy.exchange.Dispatcher;
import io.resilienceproxy.listener.DataListener;
import io.resilienceproxy.listener.DataListeners;
import io.resilienceproxy.policy.ListenAddress;
import io.resilienceproxy.policy.Policy;
import io.resilienceproxy.policy.UpstreamPolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The listeners of one policy, by the address that it gives them: all of them are bound, or none is.
 *
 * <p>Made and put into use by one thread, which is no event loop.
 */
final class Listening {

    /** What the native transport puts in front of the reason. */
    private static final Pattern SYSTEM_CALL = Pattern.compile("\\w+\\(\\.\\.\\) failed with error\\(-?[0-9]+\\): ");

    private final Map<ListenAddress, DataListener> byAddress = new LinkedHashMap<>();
    private final List<DataListener> opened = new ArrayList<>();

    private Listening() {}

    /** Before the first policy. */
    static Listening nowhere() {
        return new Listening();
    }

    /**
     * Those of another policy: what stays is taken over as it is, what is new is bound and does not accept yet.
     *
     * @throws IOException naming every address that cannot be bound; nothing has changed
     */
    Listening prepare(Policy policy, DataListeners sockets) throws IOException {
        Listening next = new Listening();
        List<String> refused = new ArrayList<>();
        for (ListenAddress address : addresses(policy)) {
            DataListener present = byAddress.get(address);
            if (present == null) {
                next.bind(address, sockets, refused, holder(address.port()));
            } else {
                next.byAddress.put(address, present);
            }
        }
        if (!refused.isEmpty()) {
            next.discard();
            throw new IOException(String.join("; ", refused));
        }
        return next;
    }

    private static List<ListenAddress> addresses(Policy policy) {
        List<ListenAddress> addresses = new ArrayList<>();
        addresses.add(policy.listen());
        for (UpstreamPolicy upstream : policy.upstreams()) {
            upstream.listenPort().ifPresent(port -> addresses.add(own(policy, port)));
        }
        return addresses;
    }

    private static ListenAddress own(Policy policy, int port) {
        return new ListenAddress(policy.listen().host(), port);
    }

    /** What a listener of ours says about a port that it holds at another host: it is in the way of a wildcard. */
    private String holder(int port) {
        return byAddress.keySet().stream()
                .filter(present -> port != 0 && present.port() == port)
                .map(present -> " (the proxy itself listens on " + present + "; moving there takes a restart)")
                .findFirst()
                .orElse("");
    }

    private void bind(ListenAddress address, DataListeners sockets, List<String> refused, String holder) {
        DataListener listener = sockets.open(address.host(), address.port());
        Throwable cause = listener.bound().awaitUninterruptibly().cause();
        if (cause == null) {
            byAddress.put(address, listener);
            opened.add(listener);
        } else {
            refused.add("cannot listen on " + address + ": " + plain(String.valueOf(cause.getMessage())) + holder);
        }
    }

    /** A reason as the system words it. */
    static String plain(String reason) {
        return SYSTEM_CALL.matcher(reason).replaceFirst("");
    }

    /** Takes back what was bound and does not accept yet. */
    void discard() {
        opened.forEach(listener -> listener.discard().awaitUninterruptibly());
        opened.clear();
    }

    /**
     * Ends those that this one does not have any more. To be called before the new table is in use: their callers' last
     * requests go where they went before.
     */
    void endOthersOf(Listening last, DataListeners sockets, Dispatcher dispatcher) {
        last.byAddress.forEach((address, listener) -> {
            if (!byAddress.containsKey(address)) {
                sockets.end(listener, dispatcher.fixed());
            }
        });
    }

    /** Serves those who have connected to what is new. To be called when the new table is in use. */
    void accept() {
        opened.forEach(DataListener::accept);
        opened.clear();
    }

    /** The port that is bound for the shared listener. */
    int port(Policy policy) {
        return localPort(policy.listen());
    }

    /** The port that is bound for an upstream's own listener. */
    int port(Policy policy, int listenPort) {
        return localPort(own(policy, listenPort));
    }

    private int localPort(ListenAddress address) {
        DataListener listener = byAddress.get(address);
        if (listener == null) {
            throw new IllegalArgumentException("nothing listens on " + address);
        }
        return listener.localPort();
    }
}
