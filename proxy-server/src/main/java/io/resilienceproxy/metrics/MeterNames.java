package io.resilienceproxy.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The proxy's own meters: name, type, tags and meaning of each. This table is the documentation, and docs/metrics.md is
 * checked against it.
 *
 * <p>Tag values come from the policy and from closed sets of tokens, never from a request: the number of series does not
 * depend on traffic.
 */
public enum MeterNames {
    REQUEST_DURATION(
            Type.HISTOGRAM,
            "request.duration",
            "Exchanges, by how they ended and what the caller was sent, from the request head to the end.",
            "upstream",
            "route",
            "outcome",
            "status"),
    REQUESTS_IN_FLIGHT(
            Type.GAUGE, "requests.in.flight", "Exchanges that have started and not ended.", "upstream", "route"),
    ATTEMPTS(
            Type.COUNTER,
            "attempts",
            "Attempts, by status class of the response, kind of failure or refusal, or abandoned.",
            "upstream",
            "route",
            "result"),
    SITE_ATTEMPTS(
            Type.COUNTER,
            "site.attempts",
            "Attempts at one url of an upstream that has several, of all its routes; those that were refused went to none.",
            "upstream",
            "site",
            "result"),
    OWN_ANSWERS(
            Type.COUNTER,
            "own.answers",
            "Exchanges that the proxy answered itself, by reason.",
            "upstream",
            "route",
            "reason"),
    DEGRADED_ANSWERS(
            Type.COUNTER,
            "degraded.answers",
            "Exchanges that were answered from the fallback: stale, a last good answer, or default, the policy's fixed one.",
            "upstream",
            "route",
            "kind"),
    DEGRADED_DECLINED(
            Type.COUNTER,
            "degraded.declined",
            "Exchanges whose caller wanted no degraded answer where there was one, and got the honest one.",
            "upstream",
            "route"),
    DEGRADED_EXCHANGES(
            Type.COUNTER, "degraded.exchanges", "Exchanges that were answered from the fallback, over all upstreams."),
    EXCHANGES(Type.COUNTER, "exchanges", "Exchanges that have ended, over all upstreams, however they did."),
    FALLBACK_BYTES(
            Type.GAUGE,
            "fallback.bytes",
            "Memory in use for last good answers, those that are just being received included.",
            "upstream"),
    FALLBACK_ENTRIES(
            Type.GAUGE, "fallback.entries", "Targets, with their key-headers, of which answers are kept.", "upstream"),
    FALLBACK_EVICTIONS(
            Type.COUNTER,
            "fallback.evictions",
            "Targets whose answers made room for others or became too old.",
            "upstream"),
    FALLBACK_NOT_KEPT(
            Type.COUNTER,
            "fallback.not.kept",
            "Good answers to reads that were not kept for the fallback, by reason.",
            "upstream",
            "route",
            "reason"),
    CALLER_DEPARTURES(
            Type.COUNTER,
            "caller.departures",
            "Exchanges whose caller left before its response was whole.",
            "upstream",
            "route"),
    DEADLINE_REFUSALS(
            Type.COUNTER,
            "deadline.refusals",
            "Exchanges refused because nothing was left of their deadline; nothing was sent.",
            "upstream",
            "route"),
    DEADLINE_MALFORMED(
            Type.COUNTER,
            "deadline.malformed",
            "Requests whose deadline field could not be read; the policy's call timeout held.",
            "upstream",
            "route"),
    REQUESTS_RETRIED_ABOVE(
            Type.COUNTER,
            "requests.retried.above",
            "Requests that are retries of the layer above by their own word; none of them is retried here.",
            "upstream",
            "route"),
    RETRIES(Type.COUNTER, "retries", "Attempts beyond the first, by what they answer.", "upstream", "route", "reason"),
    RETRIES_REFUSED(
            Type.COUNTER,
            "retries.refused",
            "Outcomes that retry-on lists and that were not retried, by cause.",
            "upstream",
            "route",
            "cause"),
    BUDGET_TOKENS(
            Type.GAUGE, "retry.budget.tokens", "Tokens in the retry budget: a retry takes one.", "upstream", "budget"),
    BUDGET_MAX(Type.GAUGE, "retry.budget.max.tokens", "The most that the budget can hold.", "upstream", "budget"),
    BUDGET_EXHAUSTED(
            Type.COUNTER,
            "retry.budget.exhausted",
            "Retries refused because less than one token was left; with mode observe, they took place all the same.",
            "upstream",
            "budget",
            "mode"),
    BREAKER_STATE(
            Type.GAUGE,
            "breaker.state",
            "1 for the state that the breaker is in, 0 for the others. An open breaker turns half-open with the first"
                    + " request after its wait, not by itself.",
            "upstream",
            "breaker",
            "state"),
    BREAKER_TRANSITIONS(
            Type.COUNTER, "breaker.transitions", "Transitions of the breaker.", "upstream", "breaker", "from", "to"),
    BREAKER_OPEN_TIME(
            Type.SECONDS_COUNTER,
            "breaker.open.time",
            "Seconds spent open, the current spell included.",
            "upstream",
            "breaker"),
    BREAKER_REJECTIONS(
            Type.COUNTER,
            "breaker.rejections",
            "Attempts refused by the breaker. They went to the next url where the upstream has one, and with mode observe they"
                    + " went on all the same.",
            "upstream",
            "breaker",
            "mode"),
    BULKHEAD_AVAILABLE(Type.GAUGE, "bulkhead.available", "Permits that are free.", "upstream", "bulkhead"),
    BULKHEAD_LIMIT(Type.GAUGE, "bulkhead.limit", "Permits in all.", "upstream", "bulkhead"),
    BULKHEAD_WAITING(Type.GAUGE, "bulkhead.waiting", "Attempts that queue for a permit.", "upstream", "bulkhead"),
    BULKHEAD_REJECTIONS(
            Type.COUNTER,
            "bulkhead.rejections",
            "Attempts refused because no permit came free in time; with mode observe, none was free, and they went on.",
            "upstream",
            "bulkhead",
            "mode"),
    BULKHEAD_SHED(
            Type.COUNTER,
            "bulkhead.shed",
            "Attempts that found no permit and were not served for that, by priority and cause.",
            "upstream",
            "bulkhead",
            "priority",
            "cause"),
    POOL_CONNECTIONS(
            Type.GAUGE,
            "pool.connections",
            "Connections to the upstream that are idle, active or connecting, to all its urls.",
            "upstream",
            "state"),
    POOL_WAITING(Type.GAUGE, "pool.waiting", "Attempts that wait for a connection.", "upstream"),
    POOL_LIMIT(Type.GAUGE, "pool.limit", "The most connections that the pools of all its urls may have.", "upstream"),
    SITE_CONNECTIONS(
            Type.GAUGE,
            "site.connections",
            "Connections to one url of an upstream that has several.",
            "upstream",
            "site",
            "state"),
    ENDPOINTS(
            Type.GAUGE,
            "endpoints",
            "Addresses of the url that are known: in use, or ejected, which is passed over for a time.",
            "upstream",
            "site",
            "state"),
    ENDPOINT_EJECTIONS(
            Type.COUNTER,
            "endpoint.ejections",
            "Addresses that were passed over for a time because a connection to one failed or was reset.",
            "upstream",
            "site"),
    DNS_LOOKUPS(
            Type.COUNTER,
            "dns.lookups",
            "Look-ups of the url's host name; behind one that failed, what was known before still holds.",
            "upstream",
            "site",
            "result"),
    TLS_PROVIDER(
            Type.GAUGE,
            "tls.provider",
            "Always 1; the implementation of TLS in use, once there is an https upstream.",
            "provider"),
    TLS_UPSTREAM_DAYS(
            Type.GAUGE,
            "tls.upstream.certificate.days",
            "Days until the certificate expires that the upstream showed last; below 0 once it has, NaN before the first"
                    + " handshake.",
            "upstream",
            "site"),
    TLS_OWN_DAYS(
            Type.GAUGE,
            "tls.own.certificate.days",
            "Days until the certificate expires that the upstream is shown.",
            "upstream",
            "site"),
    TLS_RENEWALS(
            Type.COUNTER,
            "tls.renewals",
            "Changes of certificate files, by whether new connections use them.",
            "upstream",
            "result"),
    INBOUND_CONNECTIONS(Type.GAUGE, "inbound.connections", "Open connections of callers."),
    INBOUND_REFUSED(
            Type.COUNTER,
            "inbound.refused",
            "Requests that belong to no upstream and were answered by the proxy, by reason.",
            "reason"),
    CONFIG_LOADS(Type.COUNTER, "config.loads", "Loads of the policy file, the first one included.", "result"),
    CONFIG_LAST_SUCCESS(
            Type.SECONDS_GAUGE,
            "config.last.success.time",
            "When the policy in use was loaded, in seconds of the Unix epoch; 0 before the first load."),
    CONFIG_LAST_LOAD_SUCCESSFUL(
            Type.GAUGE,
            "config.last.load.successful",
            "1 if the last load of the policy file was taken into use, 0 if it was refused and the policy before it stays."),
    CONFIG_POLICY(
            Type.GAUGE, "config.policy", "Always 1; the beginning of the SHA-256 of the policy file in use.", "hash"),
    CONFIG_FINDINGS(
            Type.GAUGE, "config.findings", "Findings of the last load of the policy file, by severity.", "severity"),
    LOG_LINES_DROPPED(Type.COUNTER, "log.lines.dropped", "Log lines lost because standard output could not keep up."),
    BUILD(Type.GAUGE, "build", "Always 1; the version of the running proxy.", "version");

    /** What a meter is, and what Prometheus appends to its name. */
    public enum Type {
        COUNTER("counter", "_total"),
        SECONDS_COUNTER("counter", "_seconds_total"),
        GAUGE("gauge", ""),
        SECONDS_GAUGE("gauge", "_seconds"),
        HISTOGRAM("histogram", "_seconds");

        private final String token;
        private final String suffix;

        Type(String token, String suffix) {
            this.token = token;
            this.suffix = suffix;
        }

        /** As the {@code # TYPE} line of the exposition says it. */
        public String token() {
            return token;
        }
    }

    private static final String PREFIX = "resilience.proxy.";

    private final Type type;
    private final String meter;
    private final String meaning;
    private final List<String> tags;

    MeterNames(Type type, String name, String meaning, String... tags) {
        this.type = type;
        this.meter = PREFIX + name;
        this.meaning = meaning;
        this.tags = List.of(tags);
    }

    /** The name in Micrometer: dotted, lower case. */
    public String meter() {
        return meter;
    }

    /** The name in Prometheus; a histogram's series add {@code _bucket}, {@code _count}, {@code _sum}, {@code _max}. */
    public String series() {
        return meter.replace('.', '_') + type.suffix;
    }

    public Type type() {
        return type;
    }

    /** One sentence or two. */
    public String meaning() {
        return meaning;
    }

    /** Tag keys, in the order in which values are given. */
    public List<String> tags() {
        return tags;
    }

    /** The existing counter of these tag values, or a new one: counts survive a new route table. */
    Counter counter(MeterRegistry registry, String... tagValues) {
        return Counter.builder(meter)
                .description(meaning)
                .tags(tagged(tagValues))
                .register(registry);
    }

    <T> FunctionCounter functionCounter(
            MeterRegistry registry, T source, ToDoubleFunction<T> value, String... tagValues) {
        return FunctionCounter.builder(meter, source, value)
                .description(meaning)
                .baseUnit(type == Type.SECONDS_COUNTER ? "seconds" : null)
                .tags(tagged(tagValues))
                .register(registry);
    }

    /** Holds its source strongly: a gauge whose source was collected would turn into NaN. */
    <T> Gauge gauge(MeterRegistry registry, T source, ToDoubleFunction<T> value, String... tagValues) {
        return Gauge.builder(meter, source, value)
                .description(meaning)
                .baseUnit(type == Type.SECONDS_GAUGE ? "seconds" : null)
                .tags(tagged(tagValues))
                .strongReference(true)
                .register(registry);
    }

    Timer timer(MeterRegistry registry, String... tagValues) {
        return Timer.builder(meter)
                .description(meaning)
                .serviceLevelObjectives(Buckets.LATENCY)
                .tags(tagged(tagValues))
                .register(registry);
    }

    private Tags tagged(String... values) {
        if (values.length != tags.size()) {
            throw new IllegalArgumentException(meter + ": " + values.length + " tag values (expected: " + tags + ")");
        }
        Tags tagged = Tags.empty();
        for (int i = 0; i < values.length; i++) {
            tagged = tagged.and(tags.get(i), values[i]);
        }
        return tagged;
    }
}
