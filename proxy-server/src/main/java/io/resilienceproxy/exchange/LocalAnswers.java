package io.resilienceproxy.exchange;

import io.resilienceproxy.outcome.Delivery;
import io.resilienceproxy.pool.Endpoint;
import io.resilienceproxy.routing.Route;
import org.jspecify.annotations.Nullable;

/**
 * The proxy's own answers for one route. They are made as they are first needed and kept, so that an outage, when they are
 * given thousands of times a second, formats nothing.
 *
 * <p>Thread-safe: a racing second one is equal to the first.
 */
final class LocalAnswers {

    /** By reason, delivery and attempts (no policy allows more than five). */
    private static final int DELIVERIES = Delivery.values().length;

    private static final int ATTEMPTS = 6;

    private final Route route;
    private final LocalAnswer[] kept = new LocalAnswer[Reason.values().length * DELIVERIES * ATTEMPTS];

    LocalAnswers(Route route) {
        this.route = route;
    }

    /** @param endpoint that was tried last; null: there was none */
    LocalAnswer get(
            Reason reason,
            Delivery delivery,
            int attempts,
            @Nullable Endpoint endpoint,
            long retryAfterSeconds,
            boolean close) {
        int place = (reason.ordinal() * DELIVERIES + delivery.ordinal()) * ATTEMPTS + attempts;
        LocalAnswer answer = kept[place];
        if (answer == null) {
            answer = LocalAnswer.of(
                    reason,
                    detail(reason),
                    route.upstreamName(),
                    route.name(),
                    delivery,
                    attempts,
                    LocalAnswer.NO_RETRY_AFTER,
                    false);
            kept[place] = answer;
        }
        return answer.with(endpoint, retryAfterSeconds, close);
    }

    private String detail(Reason reason) {
        String upstream = route.upstreamName();
        return switch (reason) {
            case CIRCUIT_OPEN -> "The circuit breaker of " + upstream + " does not admit this call.";
            case BULKHEAD_FULL -> "All permits of " + upstream + " are taken and its queue has no place.";
            case POOL_EXHAUSTED -> "No connection to " + upstream + " became free in time.";
            case DEADLINE_EXHAUSTED -> "Nothing of the deadline is left that a call of " + upstream + " could use.";
            case CONNECTION_REFUSED -> "No connection to " + upstream + " could be opened.";
            case CONNECT_TIMEOUT -> "No connection to " + upstream + " was open in time.";
            case DNS_ERROR -> "The host name of " + upstream + " could not be resolved.";
            case RESET -> "The connection to " + upstream + " ended before its answer.";
            case READ_TIMEOUT -> "Nothing came from " + upstream + " within the read timeout.";
            case CALL_TIMEOUT -> "The deadline ran out before " + upstream + " answered.";
            case MALFORMED_RESPONSE -> "What " + upstream + " answered is not HTTP/1.";
            case REQUEST_TIMEOUT -> "The rest of the request did not arrive in time.";
            default -> reason.title() + ".";
        };
    }
}
