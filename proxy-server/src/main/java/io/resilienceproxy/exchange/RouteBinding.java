package io.resilienceproxy.exchange;

import io.netty.util.AsciiString;
import io.resilienceproxy.fallback.AnswerStore;
import io.resilienceproxy.http.AddressMapping;
import io.resilienceproxy.http.RequestHead;
import io.resilienceproxy.http.RequestRewrite;
import io.resilienceproxy.outcome.Rejection;
import io.resilienceproxy.outcome.Verdict;
import io.resilienceproxy.policy.Mode;
import io.resilienceproxy.policy.RetryPolicy;
import io.resilienceproxy.policy.RoutePolicy;
import io.resilienceproxy.policy.StatusSet;
import io.resilienceproxy.policy.UpstreamUrl;
import io.resilienceproxy.pool.ConnectionPool;
import io.resilienceproxy.pool.ConnectionSource;
import io.resilienceproxy.resilience.MedianEstimate;
import io.resilienceproxy.routing.Route;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A route with everything that its exchanges need at hand: the pool, the listener, durations in nanoseconds. Made once per
 * route when a route table is put into use; immutable and shared.
 */
final class RouteBinding {

    private static final long NANOS_ROUND_UP = 999_999_999L;

    final Route route;
    final ExchangeListener listener;
    final LocalAnswers answers;
    final RequestRewrite rewrite;
    final AddressMapping addresses;
    final StatusSet failureStatuses;
    final long connectNanos;
    final long readNanos;
    final long callNanos;
    final long deadlineBufferNanos;
    final long maxWaitNanos;
    final long slowCallNanos;
    final boolean stream;

    /** How long the upstream takes to the response head, of half of the attempts. */
    final MedianEstimate usualHead = new MedianEstimate();

    /** Null: no answer but a real one. */
    final @Nullable RouteFallback fallback;

    /** Breaker, bulkhead and budget decide and count, and refuse nothing. */
    final boolean observes;

    private final IntFunction<ConnectionSource> connections;

    RouteBinding(Route route, ConnectionPool pool, @Nullable AnswerStore store, ExchangeListener listener) {
        this(
                route,
                new RequestRewrite(
                        new AsciiString(pool.url().basePath()),
                        new AsciiString(pool.url().authority()),
                        new AsciiString(route.policy().deadline().header())),
                pool::on,
                store,
                listener);
    }

    RouteBinding(
            Route route,
            RequestRewrite rewrite,
            IntFunction<ConnectionSource> connections,
            @Nullable AnswerStore store,
            ExchangeListener listener) {
        RoutePolicy policy = route.policy();
        this.route = route;
        this.rewrite = rewrite;
        this.connections = connections;
        this.listener = listener;
        this.answers = new LocalAnswers(route);
        UpstreamUrl url = route.upstream().url();
        this.addresses = new AddressMapping(url.scheme(), url.authority(), url.port(), url.basePath());
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
    }

    /** The connections of one event loop. */
    ConnectionSource connections(int loopIndex) {
        return connections.apply(loopIndex);
    }

    /** Nothing forbids that the request reaches the upstream twice: its method is listed, or it takes a key along. */
    boolean isRepeatable(RequestHead request) {
        RetryPolicy policy = route.policy().retry();
        if (policy.methods().contains(request.method())) {
            return true;
        }
        String key = request.fields().get(policy.idempotencyHeader());
        return key != null && !key.isEmpty() && request.forwards(policy.idempotencyHeader());
    }

    Verdict verdict(int status) {
        return failureStatuses.contains(status) ? Verdict.FAILURE : Verdict.SUCCESS;
    }

    /** What a refused caller is told to wait: until probes are admitted, rounded up; or a moment. */
    long retryAfterSeconds(Rejection rejection) {
        return switch (rejection) {
            case CIRCUIT_OPEN ->
                Math.max(1, TimeUnit.NANOSECONDS.toSeconds(route.breaker().remainingOpenNanos() + NANOS_ROUND_UP));
            case BULKHEAD_FULL, POOL_EXHAUSTED -> 1;
            case DEADLINE_EXHAUSTED -> LocalAnswer.NO_RETRY_AFTER;
        };
    }
}
