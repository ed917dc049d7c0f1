package io.resilienceproxy.exchange;

import io.resilienceproxy.outcome.Delivery;
import io.resilienceproxy.outcome.TlsAlert;
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

    /** Without anything that may differ between two of a kind; see {@link LocalAnswer#with}. */
    LocalAnswer get(Reason reason, Delivery delivery, int attempts) {
        int place = (reason.ordinal() * DELIVERIES + delivery.ordinal()) * ATTEMPTS + attempts;
        LocalAnswer answer = kept[place];
        if (answer == null) {
            answer = make(reason, null, detail(reason), delivery, attempts);
            kept[place] = answer;
        }
        return answer;
    }

    /** For {@link Reason#TLS_ALERT} with what the upstream said; made each time, because a handshake costs far more. */
    LocalAnswer get(TlsAlert alert, Delivery delivery, int attempts) {
        String detail = route.upstreamName() + " refused TLS with the alert " + alert.token() + ".";
        return make(Reason.TLS_ALERT, alert, detail, delivery, attempts);
    }

    private LocalAnswer make(Reason reason, @Nullable TlsAlert alert, String detail, Delivery delivery, int attempts) {
        return LocalAnswer.of(reason, alert, detail, route.upstreamName(), route.name(), delivery, attempts);
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
            case TLS_UNTRUSTED -> "The certificate of " + upstream + " is of no authority that is trusted.";
            case TLS_EXPIRED -> "The certificate of " + upstream + " is valid no longer, or not yet.";
            case TLS_WRONG_NAME -> "The certificate of " + upstream + " is for another name.";
            case TLS_ALERT -> upstream + " refused TLS with an alert.";
            case TLS_PROTOCOL -> "TLS with " + upstream + " could not be agreed on, or broke.";
            case RESET -> "The connection to " + upstream + " ended before its answer.";
            case READ_TIMEOUT -> "Nothing came from " + upstream + " within the read timeout.";
            case CALL_TIMEOUT -> "The deadline ran out before " + upstream + " answered.";
            case MALFORMED_RESPONSE -> "What " + upstream + " answered is not HTTP/1.";
            case REQUEST_TIMEOUT -> "The rest of the request did not arrive in time.";
            default -> reason.title() + ".";
        };
    }
}
