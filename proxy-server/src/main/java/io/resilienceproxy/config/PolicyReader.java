package io.resilienceproxy.config;

import io.resilienceproxy.policy.Admin;
import io.resilienceproxy.policy.Limits;
import io.resilienceproxy.policy.ListenAddress;
import io.resilienceproxy.policy.Logging;
import io.resilienceproxy.policy.Policy;
import io.resilienceproxy.policy.Shutdown;
import io.resilienceproxy.policy.UpstreamPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The whole tree to a policy; one instance reads one file. */
final class PolicyReader {

    private static final int MOST_THREADS = 64;
    private static final int MOST_ROUTES = 1000;
    private static final long MOST_FALLBACK_BYTES = 16L * Sizes.MIB;

    private final Problems problems;
    private final Ledger ledger;
    private final Value root;
    private final Clashes clashes;
    private final boolean readsFiles;

    /** @param readsFiles whether the files that the policy names are looked into */
    PolicyReader(Value root, Problems problems, Ledger ledger, boolean readsFiles) {
        this.readsFiles = readsFiles;
        this.problems = problems;
        this.ledger = ledger;
        this.root = root;
        this.clashes = new Clashes(problems);
    }

    /** Of use only if no error was reported. */
    Policy read() {
        new ShapeCheck(problems).check(root, Format.POLICY);
        Section top = Section.of(problems, ledger, root, Layer.process(root));
        Section listenSection = top.section("listen");
        Setting<Integer> listenPort = port(listenSection, ListenAddress.DEFAULT_LISTEN);
        ListenAddress listen = address(listenSection, ListenAddress.DEFAULT_LISTEN, listenPort);
        clashes.addListenPort(listenPort);
        List<UpstreamPolicy> upstreams = upstreams();
        Section adminSection = top.section("admin");
        Setting<Integer> adminPort = port(adminSection, Admin.DEFAULT.address());
        ListenAddress adminAddress = address(adminSection, Admin.DEFAULT.address(), adminPort);
        clashes.checkAdminPort(adminPort, adminAddress, listen.host());
        boolean quit = adminSection.setting("quit", Words.BOOLEAN, false).value();
        Admin admin = new Admin(adminAddress, quit);
        checkMemory(upstreams);
        Limits limits = limits(top.section("limits"), upstreams);
        int threads = top.setting("threads", Numbers.whole(1, MOST_THREADS), 1).value();
        Shutdown shutdown = shutdown(top.section("shutdown"));
        return new Policy(listen, threads, admin, limits, shutdown, logging(top.section("logging")), upstreams);
    }

    private static Setting<Integer> port(Section section, ListenAddress defaults) {
        return section.setting("port", Numbers.whole(0, 65_535), defaults.port());
    }

    private static ListenAddress address(Section section, ListenAddress defaults, Setting<Integer> port) {
        String host = section.setting("host", Addresses.HOST, defaults.host()).value();
        return new ListenAddress(host, port.value());
    }

    private Limits limits(Section section, List<UpstreamPolicy> upstreams) {
        Limits defaults = Limits.DEFAULT;
        Setting<Integer> connections =
                section.setting("max-connections", Numbers.whole(1, 1_000_000), defaults.maxConnections());
        long pooled = upstreams.stream()
                .mapToLong(upstream ->
                        (long) upstream.urls().size() * upstream.pool().maxConnections())
                .sum();
        if (connections.valid() && pooled > connections.value()) {
            problems.warning(
                    connections.isDefault() ? upstreamsPlace() : connections.place(),
                    Rule.SUM,
                    "the upstreams' pool.max-connections add up to " + pooled + " (advised: at most "
                            + "limits.max-connections, which is " + connections.value() + ")");
        }
        Sizes headerSize = new Sizes(Sizes.KIB, Sizes.MIB);
        return new Limits(
                connections.value(),
                section.setting("max-header-size", headerSize, defaults.maxHeaderSize())
                        .value(),
                section.setting("header-timeout", Durations.positive(), defaults.headerTimeout())
                        .value(),
                section.setting("idle-timeout", Durations.positive(), defaults.idleTimeout())
                        .value());
    }

    /** Half of the heap that a process has by default: the rest is for what it does. */
    private void checkMemory(List<UpstreamPolicy> upstreams) {
        long bytes = upstreams.stream()
                .filter(PolicyReader::keepsAnswers)
                .mapToLong(upstream -> upstream.defaultRoute().fallback().maxBytes())
                .sum();
        if (bytes > MOST_FALLBACK_BYTES) {
            problems.warning(
                    upstreamsPlace(),
                    Rule.MEMORY,
                    "the upstreams' fallback.max-bytes add up to " + bytes / Sizes.KIB + "KiB (advised: at most 16MiB,"
                            + " which is half of a heap of 32MiB, or a larger heap)");
        }
    }

    private static boolean keepsAnswers(UpstreamPolicy upstream) {
        return Stream.concat(upstream.routes().stream(), Stream.of(upstream.defaultRoute()))
                .anyMatch(route -> route.fallback().keepsAnswers());
    }

    private static Shutdown shutdown(Section section) {
        Shutdown defaults = Shutdown.DEFAULT;
        return new Shutdown(
                section.setting("quiet-period", Durations.orZero(), defaults.quietPeriod())
                        .value(),
                section.setting("timeout", Durations.orZero(), defaults.timeout())
                        .value());
    }

    private static Logging logging(Section section) {
        Logging defaults = Logging.DEFAULT;
        return new Logging(
                section.setting("level", Words.oneOf(Logging.Level.class, Enum::name), defaults.level())
                        .value(),
                section.setting("access", Words.oneOf(Logging.Access.class, Words::lowerCase), defaults.access())
                        .value());
    }

    private List<UpstreamPolicy> upstreams() {
        Value defaults = readDefaults();
        List<UpstreamPolicy> policies = new ArrayList<>();
        if (!(root instanceof Value.Mapping mapping)) {
            return policies;
        }
        Value upstreams = mapping.get("upstreams");
        if (upstreams == null) {
            problems.error(root.place().missing("upstreams"), "missing (expected: at least one upstream)");
        }
        if (upstreams instanceof Value.Mapping named && hasBoundedRoutes(named)) {
            if (named.entries().isEmpty()) {
                problems.error(named.place(), "an empty map (expected: at least one upstream)");
            }
            UpstreamReader reader = new UpstreamReader(problems, ledger, defaults, clashes, readsFiles);
            for (Map.Entry<String, Value> entry : named.entries().entrySet()) {
                if (entry.getValue() instanceof Value.Mapping upstream) {
                    policies.add(reader.read(entry.getKey(), upstream));
                }
            }
        }
        return policies;
    }

    /** Each route reads all that it inherits: their number bounds what a file can cost. */
    private boolean hasBoundedRoutes(Value.Mapping upstreams) {
        int routes = upstreams.entries().values().stream()
                .map(upstream -> upstream instanceof Value.Mapping mapping ? mapping.get("routes") : null)
                .mapToInt(list -> list instanceof Value.Sequence sequence
                        ? sequence.items().size()
                        : 0)
                .sum();
        if (routes > MOST_ROUTES) {
            problems.error(upstreams.place(), routes + " routes (expected: at most " + MOST_ROUTES + " in all)");
        }
        return routes <= MOST_ROUTES;
    }

    /** Read once by itself too, so that a value which every upstream overrides is still a valid one. */
    private Value readDefaults() {
        Value named = root instanceof Value.Mapping mapping ? mapping.get("defaults") : null;
        Value defaults = named == null ? Value.Mapping.empty(root.place().missing("defaults")) : named;
        Section section = Section.of(problems, ledger, defaults, Layer.defaults(defaults));
        TlsSettings.read(section.section("tls"));
        Treatment.read(
                section,
                PoolSettings.read(section.section("pool")).maxConnections(),
                FallbackSettings.readMaxBytes(section.section("fallback")));
        HealthSettings.read(section.section("health"));
        return defaults;
    }

    private Place upstreamsPlace() {
        Value upstreams = root instanceof Value.Mapping mapping ? mapping.get("upstreams") : null;
        return upstreams == null ? root.place() : upstreams.place();
    }
}
