package io.resilienceproxy.exchange;

import io.netty.util.AsciiString;
import io.resilienceproxy.fallback.AnswerStore;
import io.resilienceproxy.outcome.Rejection;
import io.resilienceproxy.outcome.Verdict;
import io.resilienceproxy.policy.Mode;
import io.resilienceproxy.policy.RoutePolicy;
import io.resilienceproxy.policy.StatusSet;
import io.resilienceproxy.policy.UpstreamUrl;
import io.resilienceproxy.pool.ConnectionSource;
import io.resilienceproxy.resilience.MedianEstimate;
import io.resilienceproxy.routing.Route;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A route with everything that its exchanges need at hand: its sites, the listener, durations in nanoseconds. Made once per
 * route when a route table is put into use; immutable and shared.
 */
final class RouteBinding {

    private static final long NANOS_ROUND_UP = 999_999_999L;

    final Route route;
    final ExchangeListener listener;
    final LocalAnswers answers;
    final AsciiString deadlineField;
    final StatusSet failureStatuses;
    final long connectNanos;
    final long readNanos;
    final long callNanos;
    final long deadlineBufferNanos;
    final long maxWaitNanos;
    final long slowCallNanos;
    final boolean stream;

    final RetryGate retries;

    /** How long the upstream takes to the response head, of half of the attempts. */
    final MedianEstimate usualHead = new MedianEstimate();

    /** Null: no answer but a real one. */
    final @Nullable RouteFallback fallback;

    /** Breaker, bulkhead and budget decide and count, and refuse nothing. */
    final boolean observes;

    /** In order of preference; where the mode is observe, only the first of them is ever used. */
    final SiteBinding[] sites;

    /** @param connections to a url, of an event loop by its index; asked for each url, once */
    RouteBinding(
            Route route,
            Function<UpstreamUrl, IntFunction<ConnectionSource>> connections,
            @Nullable AnswerStore store,
            ExchangeListener listener) {
        RoutePolicy policy = route.policy();
        this.route = route;
        this.listener = listener;
        this.answers = new LocalAnswers(route);
        this.deadlineField = new AsciiString(policy.deadline().header());
        this.failureStatuses = policy.circuitBreaker().failureStatuses();
        this.connectNanos = policy.timeouts().connect().toNanos();
        this.readNanos = policy.timeouts().read().toNanos();
        this.callNanos = policy.timeouts().call().toNanos();
        this.deadlineBufferNanos = policy.deadline().buffer().toNanos();
        this.maxWaitNanos = policy.bulkhead().maxWaitDuration().toNanos();
        this.slowCallNanos = policy.circuitBreaker().slowCallDurationThreshold().toNanos();
        this.stream = policy.stream();
        this.fallback = RouteFallback.of(policy, store, listener);
        this.observes = policy.mode() == Mode.OBSERVE;
        this.sites = new SiteBinding[route.breakers().size()];
        for (int i = 0; i < sites.length; i++) {
            UpstreamUrl url = route.upstream().urls().get(i);
            sites[i] = new SiteBinding(i, url, route.breakers().get(i), deadlineField, connections.apply(url));
        }
        this.retries = new RetryGate(route, listener, this::isCircuitRefusing);
    }

    /** Whether another attempt made now would be refused for certain: by the breaker of every url that it could go to. */
    boolean isCircuitRefusing() {
        for (SiteBinding site : sites) {
            if (!site.breaker.isRefusing()) {
                return false;
            }
            if (observes) {
                return true;
            }
        }
        return true;
    }

    Verdict verdict(int status) {
        return failureStatuses.contains(status) ? Verdict.FAILURE : Verdict.SUCCESS;
    }

    /** What a refused caller is told to wait: until probes are admitted, rounded up; or a moment. */
    long retryAfterSeconds(Rejection rejection) {
        return switch (rejection) {
            case CIRCUIT_OPEN -> Math.max(1, TimeUnit.NANOSECONDS.toSeconds(shortestOpenNanos() + NANOS_ROUND_UP));
            case BULKHEAD_FULL, POOL_EXHAUSTED -> 1;
            case DEADLINE_EXHAUSTED -> LocalAnswer.NO_RETRY_AFTER;
        };
    }

    private long shortestOpenNanos() {
        long shortest = Long.MAX_VALUE - NANOS_ROUND_UP;
        for (SiteBinding site : sites) {
            shortest = Math.min(shortest, site.breaker.remainingOpenNanos());
        }
        return shortest;
    }
}
