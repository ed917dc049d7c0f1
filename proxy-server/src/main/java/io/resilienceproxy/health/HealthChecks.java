package io.resilienceproxy.health;

import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import io.resilienceproxy.http.BodyLength;
import io.resilienceproxy.http.RequestHead;
import io.resilienceproxy.http.RequestRewrite;
import io.resilienceproxy.policy.HealthPolicy;
import io.resilienceproxy.policy.PoolPolicy;
import io.resilienceproxy.policy.Timeouts;
import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.policy.UpstreamUrl;
import io.resilienceproxy.pool.ConnectionPool;
import io.resilienceproxy.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The checks of all urls of upstreams that have a health policy. Each has a pool of one connection for itself, which is opened as those of
 * traffic are: a pool that has run dry must not make a well upstream look sick, and a probe must not take a place from
 * traffic.
 *
 * <p>{@link #follow} and {@link #close} belong to one thread at a time; everything else to any.
 */
public final class HealthChecks implements AutoCloseable {

    /** How the pool of a probe is: one connection, which is closed behind it. */
    public static final PoolPolicy POOL = new PoolPolicy(1, Duration.ofSeconds(1), Duration.ofMinutes(1), 0);

    /** A health page that takes longer is none to wait for, whatever the timeouts for business are. */
    private static final Duration LONGEST_PROBE = Duration.ofSeconds(5);

    /** One url of an upstream. */
    record Site(UpstreamUrl url, ConnectionPool pool, HealthCheck check) {}

    private record Checked(UpstreamPolicy policy, List<Site> sites) {}

    private final BiFunction<UpstreamPolicy, UpstreamUrl, ConnectionPool> pools;
    private final EventLoop loop;
    private final Clock clock;
    private volatile Map<String, Checked> byUpstream = Map.of();

    /**
     * No checks yet.
     *
     * @param pools makes a pool under {@link #POOL}, whose one event loop is {@code loop}
     */
    public HealthChecks(BiFunction<UpstreamPolicy, UpstreamUrl, ConnectionPool> pools, EventLoop loop, Clock clock) {
        this.pools = pools;
        this.loop = loop;
        this.clock = clock;
    }

    /** From now on these are checked. What is probed as before keeps its last outcome. */
    public void follow(List<UpstreamPolicy> upstreams) {
        Map<String, Checked> last = byUpstream;
        Map<String, Checked> next = new LinkedHashMap<>();
        for (UpstreamPolicy upstream : upstreams) {
            Checked before = last.get(upstream.name());
            HealthPolicy health = upstream.health();
            if (before != null && isProbedLike(upstream, before.policy)) {
                next.put(upstream.name(), new Checked(upstream, before.sites));
            } else if (health != null) {
                next.put(
                        upstream.name(),
                        new Checked(
                                upstream,
                                upstream.urls().stream()
                                        .map(url -> check(upstream, url, health))
                                        .toList()));
            }
        }
        byUpstream = next;
        last.forEach((name, checked) -> {
            Checked still = next.get(name);
            if (still == null || still.sites != checked.sites) {
                checked.sites.forEach(site -> site.pool.close());
            }
        });
    }

    private static boolean isProbedLike(UpstreamPolicy upstream, UpstreamPolicy before) {
        HealthPolicy health = upstream.health();
        return health != null
                && health.equals(before.health())
                && upstream.urls().equals(before.urls())
                && upstream.tls().equals(before.tls())
                && upstream.defaultRoute()
                        .timeouts()
                        .equals(before.defaultRoute().timeouts());
    }

    private Site check(UpstreamPolicy upstream, UpstreamUrl url, HealthPolicy health) {
        ConnectionPool pool = pools.apply(upstream, url);
        HttpHeaders fields = new DefaultHttpHeaders().set(HttpHeaderNames.USER_AGENT, "resilience-proxy-health");
        RequestHead request = new RequestHead(
                health.method().name(), health.path(), null, fields, 1, BodyLength.ABSENT, true, false, false);
        RequestRewrite rewrite = new RequestRewrite(
                AsciiString.EMPTY_STRING,
                new AsciiString(url.authority()),
                new AsciiString(upstream.defaultRoute().deadline().header()));
        long timeout = timeout(upstream.defaultRoute().timeouts());
        HealthCheck.Prober prober =
                done -> loop.execute(() -> Probe.start(loop, pool.on(0), request, rewrite, timeout, clock, done));
        return new Site(url, pool, new HealthCheck(prober, health.ttl(), clock));
    }

    private static long timeout(Timeouts timeouts) {
        Duration once = timeouts.connect().plus(timeouts.read());
        return (once.compareTo(LONGEST_PROBE) < 0 ? once : LONGEST_PROBE).toNanos();
    }

    /** Its urls in their order; none where it has no check, or there is no such upstream. */
    List<Site> of(String upstream) {
        Checked checked = byUpstream.get(upstream);
        return checked == null ? List.of() : checked.sites;
    }

    /**
     * An upstream that the policy wants to be well, and the last probes of all whose urls have failed; null if there is
     * none. Also asks for probes that are due, so that whoever looks at readiness keeps it true, and waits for none of them.
     */
    public @Nullable String unreadyUpstream() {
        String unready = null;
        for (Map.Entry<String, Checked> entry : byUpstream.entrySet()) {
            Checked checked = entry.getValue();
            HealthPolicy health = checked.policy.health();
            if (health != null && health.affectsReadiness() && isDown(checked.sites)) {
                unready = entry.getKey();
            }
        }
        return unready;
    }

    private static boolean isDown(List<Site> sites) {
        boolean down = true;
        for (Site site : sites) {
            site.check.ask();
            ProbeResult last = site.check.last();
            down &= last != null && !last.isUp();
        }
        return down;
    }

    @Override
    public void close() {
        byUpstream.values().forEach(checked -> checked.sites.forEach(site -> site.pool.close()));
    }
}
