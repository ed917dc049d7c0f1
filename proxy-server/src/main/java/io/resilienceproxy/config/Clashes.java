package io.resilienceproxy.config;

import io.resilienceproxy.policy.ListenAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reports ports and host names that two parts of the file claim. */
final class Clashes {

    private static final Set<String> ANY_ADDRESS = Set.of("0.0.0.0", "::");

    private final Problems problems;
    private final Map<Integer, Claim> dataPorts = new HashMap<>();
    private final Map<String, Place> hosts = new HashMap<>();

    Clashes(Problems problems) {
        this.problems = problems;
    }

    /** Who claims a port, and where it says so; null: by default. */
    private record Claim(String key, @Nullable Place place) {}

    /** {@code listen.port}, before those of the upstreams. */
    void addListenPort(Setting<Integer> port) {
        addPort(port, "listen.port");
    }

    void addUpstreamPort(Setting<Integer> port) {
        addPort(port, "listen-port");
    }

    private void addPort(Setting<Integer> port, String key) {
        if (!port.valid() || port.value() == 0) {
            return;
        }
        Claim claim = new Claim(port.place() == null ? key : port.place().path().toString(), port.place());
        Claim first = dataPorts.putIfAbsent(port.value(), claim);
        if (first != null) {
            report(port.value(), claim, first);
        }
    }

    /** After all others, because all data listeners share a host, which may be another than admin's. */
    void checkAdminPort(Setting<Integer> port, ListenAddress admin, String dataHost) {
        Claim first = dataPorts.get(port.value());
        if (port.valid() && first != null && overlap(admin.host(), dataHost)) {
            report(port.value(), new Claim("admin.port", port.place()), first);
        }
    }

    private static boolean overlap(String one, String other) {
        return ANY_ADDRESS.contains(one)
                || ANY_ADDRESS.contains(other)
                || bare(one).equals(bare(other));
    }

    private static String bare(String host) {
        return host.equals("localhost") ? "127.0.0.1" : host;
    }

    private void report(int port, Claim claim, Claim first) {
        Place place = claim.place() == null ? first.place() : claim.place();
        Claim other = claim.place() == null ? claim : first;
        if (place != null) {
            String origin = other.place() == null
                    ? "by default"
                    : "at line " + other.place().line();
            problems.error(place, port + " (expected: another port; " + other.key() + " has it " + origin + ")");
        }
    }

    /** A host name of an upstream. */
    void addHost(Setting<String> host) {
        if (!host.valid() || host.place() == null) {
            return;
        }
        Place first = hosts.putIfAbsent(host.value(), host.place());
        if (first != null) {
            String origin = first.path() + " has it at line " + first.line();
            problems.error(host.place(), host.value() + " (expected: a host once; " + origin + ")");
        }
    }
}
