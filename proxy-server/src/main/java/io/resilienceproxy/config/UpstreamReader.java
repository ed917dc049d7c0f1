package io.resilienceproxy.config;

import io.resilienceproxy.policy.RoutePolicy;
import io.resilienceproxy.policy.RoutePolicy.Protection;
import io.resilienceproxy.policy.TlsPolicy;
import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.policy.UpstreamUrl;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;

/** One entry of {@code upstreams}. */
final class UpstreamReader {

    private static final int NO_PORT = 0;
    private static final UpstreamUrl NO_URL = new UpstreamUrl("http", "", 80, "");

    private final Problems problems;
    private final Ledger ledger;
    private final Value defaults;
    private final Clashes clashes;

    UpstreamReader(Problems problems, Ledger ledger, Value defaults, Clashes clashes) {
        this.problems = problems;
        this.ledger = ledger;
        this.defaults = defaults;
        this.clashes = clashes;
    }

    /** Of use only if no error was reported. */
    UpstreamPolicy read(String name, Value.Mapping value) {
        checkName(name, value);
        Section own = Section.of(problems, ledger, value, Layer.upstream(value));
        Setting<UpstreamUrl> url = own.optional("url", Addresses.UPSTREAM, NO_URL);
        if (url.isDefault() && url.valid()) {
            problems.error(value.place().missing("url"), "missing (expected: a url such as http://localhost:9000)");
        }
        Setting<Integer> port = own.optional("listen-port", Numbers.whole(1, 65_535), NO_PORT);
        clashes.addUpstreamPort(port);
        Setting<List<Setting<String>>> hosts = own.list("hosts", Addresses.HOST_FIELD, "", List.of());
        hosts.value().forEach(clashes::addHost);

        Section inheriting = Section.of(problems, ledger, value, Layer.upstream(value), Layer.defaults(defaults));
        PoolSettings pool = PoolSettings.read(inheriting.section("pool"));
        Section healthSection = inheriting.section("health");
        HealthSettings health = HealthSettings.read(healthSection);
        health.check(healthSection);
        Treatment treatment = Treatment.read(
                inheriting, pool.maxConnections(), FallbackSettings.readMaxBytes(inheriting.section("fallback")));
        treatment.check(EnumSet.allOf(Protection.class));
        return new UpstreamPolicy(
                name,
                url.value(),
                port.value() == NO_PORT ? OptionalInt.empty() : OptionalInt.of(port.value()),
                hosts.value().stream().map(Setting::value).toList(),
                pool.toPolicy(),
                tls(inheriting, url),
                health.toPolicy(),
                treatment.toDefaultRoute(),
                routes(value, treatment));
    }

    /** Of an http url there is none: what it would inherit is not in effect, what it names itself is a mistake. */
    private TlsPolicy tls(Section inheriting, Setting<UpstreamUrl> url) {
        if (url.valid() && !url.value().isHttps()) {
            if (inheriting.names("tls")) {
                Place place = inheriting.section("tls").place();
                problems.error(place, "tls of an http url (expected: an https url, or no tls)");
            }
            return TlsPolicy.DEFAULT;
        }
        TlsSettings tls = TlsSettings.read(inheriting.section("tls"));
        tls.check(problems);
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
