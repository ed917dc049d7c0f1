package io.resilienceproxy.config;

import io.resilienceproxy.policy.RoutePolicy;
import io.resilienceproxy.policy.RoutePolicy.Protection;
import io.resilienceproxy.policy.TlsPolicy;
import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.policy.UpstreamUrl;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** One entry of {@code upstreams}. */
final class UpstreamReader {

    private static final int NO_PORT = 0;

    /** More sites than any system has; an attempt may ask the breaker of each. */
    private static final int MOST_URLS = 8;

    private static final UpstreamUrl NO_URL = new UpstreamUrl("http", "", 80, "");

    private final Problems problems;
    private final Ledger ledger;
    private final Value defaults;
    private final Clashes clashes;
    private final boolean readsFiles;

    UpstreamReader(Problems problems, Ledger ledger, Value defaults, Clashes clashes, boolean readsFiles) {
        this.readsFiles = readsFiles;
        this.problems = problems;
        this.ledger = ledger;
        this.defaults = defaults;
        this.clashes = clashes;
    }

    /** Of use only if no error was reported. */
    UpstreamPolicy read(String name, Value.Mapping value) {
        checkName(name, value);
        Section own = Section.of(problems, ledger, value, Layer.upstream(value));
        List<UpstreamUrl> urls = urls(own, value);
        Setting<Integer> port = own.optional("listen-port", Numbers.whole(1, 65_535), NO_PORT);
        clashes.addUpstreamPort(port);
        Setting<List<Setting<String>>> hosts = own.list("hosts", Addresses.HOST_FIELD, "", List.of());
        hosts.value().forEach(clashes::addHost);

        Section inheriting = Section.of(problems, ledger, value, Layer.upstream(value), Layer.defaults(defaults));
        PoolSettings pool = PoolSettings.read(inheriting.section("pool"));
        pool.check(inheriting.section("pool"));
        Section healthSection = inheriting.section("health");
        HealthSettings health = HealthSettings.read(healthSection);
        health.check(healthSection);
        Treatment treatment = Treatment.read(
                inheriting, pool.maxConnections(), FallbackSettings.readMaxBytes(inheriting.section("fallback")));
        treatment.check(EnumSet.allOf(Protection.class));
        return new UpstreamPolicy(
                name,
                urls,
                port.value() == NO_PORT ? OptionalInt.empty() : OptionalInt.of(port.value()),
                hosts.value().stream().map(Setting::value).toList(),
                pool.toPolicy(),
                tls(inheriting, urls),
                health.toPolicy(),
                treatment.toDefaultRoute(),
                routes(value, treatment));
    }

    /** {@code url}, or {@code urls} with one or more of them, each another site. */
    private List<UpstreamUrl> urls(Section own, Value.Mapping value) {
        Setting<UpstreamUrl> url = own.optional("url", Addresses.UPSTREAM, NO_URL);
        Setting<List<Setting<UpstreamUrl>>> urls = own.optionalList("urls", Addresses.UPSTREAM, NO_URL);
        if (urls.isDefault()) {
            if (url.isDefault() && url.valid() && urls.valid()) {
                problems.error(value.place().missing("url"), "missing (expected: a url such as http://localhost:9000)");
            }
            return List.of(url.value());
        }
        if (!url.isDefault()) {
            problems.error(urls.place(), "urls beside url (expected: one of them; urls with the preferred one first)");
        }
        if (urls.value().isEmpty()) {
            problems.error(urls.place(), "an empty list (expected: one url or more, the preferred one first)");
            return List.of(NO_URL);
        }
        if (urls.value().size() > MOST_URLS) {
            problems.error(urls.place(), urls.value().size() + " urls (expected: at most " + MOST_URLS + ")");
        }
        Map<String, Place> sites = new HashMap<>();
        for (Setting<UpstreamUrl> each : urls.value()) {
            Place first = each.valid() ? sites.putIfAbsent(each.value().site(), each.place()) : null;
            if (first != null) {
                problems.error(
                        each.place(),
                        each.value() + " (expected: another host or port; line " + first.line() + " has "
                                + each.value().site() + ")");
            }
        }
        return urls.value().stream().map(Setting::value).toList();
    }

    /** Where no url is https there is none: what it would inherit is not in effect, what it names itself is a mistake. */
    private TlsPolicy tls(Section inheriting, List<UpstreamUrl> urls) {
        if (!urls.contains(NO_URL) && urls.stream().noneMatch(UpstreamUrl::isHttps)) {
            if (inheriting.names("tls")) {
                Place place = inheriting.section("tls").place();
                problems.error(place, "tls of an http url (expected: an https url, or no tls)");
            }
            return TlsPolicy.DEFAULT;
        }
        TlsSettings tls = TlsSettings.read(inheriting.section("tls"));
        tls.check(problems, readsFiles);
        return tls.toPolicy();
    }

    private void checkName(String name, Value.Mapping value) {
        try {
            Words.UPSTREAM_NAME.parse(name);
        } catch (Type.Mismatch e) {
            problems.error(value.place(), Found.text(name) + " (expected: " + e.expected() + ")");
        }
    }

    private List<RoutePolicy> routes(Value.Mapping value, Treatment treatment) {
        return value.get("routes") instanceof Value.Sequence routes
                ? new RouteReader(problems, ledger, value, defaults, treatment).read(routes)
                : List.of();
    }
}
