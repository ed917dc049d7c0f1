package io.resilienceproxy.outcome;

import java.util.EnumMap;
import java.util.Map;

/** How one attempt ended, as a fact: what it means for the breaker or for a retry is decided elsewhere. */
public sealed interface AttemptOutcome {

    /** The upstream answered with a final status: 200 to 599, or a number that is no status at all. */
    record Response(int status) implements AttemptOutcome {
        private static final Response[] SHARED = new Response[600];

        static {
            for (int status = 0; status < SHARED.length; status++) {
                SHARED[status] = new Response(status);
            }
        }
    }

    /** We tried and it went wrong. */
    record Failure(FailureKind kind, Delivery delivery) implements AttemptOutcome {
        private static final Map<FailureKind, Failure> NOT_SENT = all(Delivery.NOT_SENT);
        private static final Map<FailureKind, Failure> UNKNOWN = all(Delivery.UNKNOWN);

        private static Map<FailureKind, Failure> all(Delivery delivery) {
            Map<FailureKind, Failure> all = new EnumMap<>(FailureKind.class);
            for (FailureKind kind : FailureKind.values()) {
                all.put(kind, new Failure(kind, delivery));
            }
            return all;
        }
    }

    /** We refused; nothing was sent. */
    record Rejected(Rejection rejection) implements AttemptOutcome {
        private static final Map<Rejection, Rejected> SHARED = new EnumMap<>(Rejection.class);

        static {
            for (Rejection rejection : Rejection.values()) {
                SHARED.put(rejection, new Rejected(rejection));
            }
        }
    }

    /** The caller left before the attempt ended. */
    record Abandoned() implements AttemptOutcome {
        private static final Abandoned SHARED = new Abandoned();
    }

    /** A shared value for every valid status. */
    static Response response(int status) {
        return status >= 0 && status < Response.SHARED.length ? Response.SHARED[status] : new Response(status);
    }

    /** A shared value. */
    static Failure failure(FailureKind kind, Delivery delivery) {
        return (delivery == Delivery.NOT_SENT ? Failure.NOT_SENT : Failure.UNKNOWN).get(kind);
    }

    /** A shared value. */
    static Rejected rejected(Rejection rejection) {
        return Rejected.SHARED.get(rejection);
    }

    /** A shared value. */
    static Abandoned abandoned() {
        return Abandoned.SHARED;
    }
}
