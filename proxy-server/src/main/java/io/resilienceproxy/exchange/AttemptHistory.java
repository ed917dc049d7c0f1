package io.resilienceproxy.exchange;

import io.resilienceproxy.http.ResponseHead;
import io.resilienceproxy.outcome.Delivery;
import io.resilienceproxy.outcome.FailureKind;
import io.resilienceproxy.outcome.TlsAlert;
import io.resilienceproxy.pool.Connection;
import io.resilienceproxy.pool.Endpoint;
import io.resilienceproxy.pool.Tried;
import org.jspecify.annotations.Nullable;

/**
 * What the attempts of an exchange have shown so far: how many there were, whether the upstream may have seen the request,
 * and the last real outcome, which the caller gets when no other attempt can be made.
 *
 * <p>Owns a held response; {@link #close()} releases it.
 */
final class AttemptHistory {

    private int attempts;
    private Delivery delivery = Delivery.NOT_SENT;
    private @Nullable FailureKind lastFailure;
    private @Nullable TlsAlert alert;
    private @Nullable HeldResponse held;
    private @Nullable Endpoint last;
    private @Nullable Tried tried;

    /** Attempts that passed the gates. */
    int attempts() {
        return attempts;
    }

    /** Over all attempts: what may have happened once stays so. */
    Delivery delivery() {
        return delivery;
    }

    /** Null where the last real outcome was a response. */
    @Nullable
    FailureKind lastFailure() {
        return lastFailure;
    }

    /** What the upstream said in its last TLS alert. */
    @Nullable
    TlsAlert alert() {
        return alert;
    }

    void onTlsAlert(TlsAlert last) {
        alert = last;
    }

    void onAdmitted() {
        attempts++;
    }

    /** @param endpoint that an attempt went to; null where it came to none */
    void onTried(@Nullable Endpoint endpoint) {
        if (endpoint != null) {
            last = endpoint;
        }
    }

    /** Where the next connection should not lead; null before the first. */
    @Nullable
    Tried tried() {
        if (last != null) {
            tried = tried == null ? new Tried() : tried;
            tried.add(last);
        }
        return tried;
    }

    /** Where the exchange went last; null where it came to no endpoint. */
    @Nullable
    Endpoint lastEndpoint() {
        return last;
    }

    void onSent() {
        delivery = Delivery.UNKNOWN;
    }

    void onFailed(FailureKind kind, Delivery sent) {
        close();
        delivery = delivery.or(sent);
        lastFailure = kind;
    }

    /** A response has come that will be relayed: nothing of before counts any more. */
    void onAnswered() {
        close();
        delivery = Delivery.UNKNOWN;
    }

    /** A response has come that will be retried. */
    void hold(ResponseHead head, Connection connection) {
        onAnswered();
        lastFailure = null;
        held = new HeldResponse(head, connection);
    }

    /** Before the next attempt: a held response that is not whole by now is not waited for. */
    void beforeNextAttempt() {
        if (held != null) {
            held.finish();
        }
    }

    /** The held response if all of it is here; it is the caller's to relay. */
    @Nullable
    HeldResponse takeHeld() {
        HeldResponse taken = held != null && held.isWhole() ? held : null;
        if (taken != null) {
            held = null;
        }
        return taken;
    }

    void close() {
        if (held != null) {
            held.close();
            held = null;
        }
    }
}
