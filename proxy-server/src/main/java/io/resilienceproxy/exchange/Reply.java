package io.resilienceproxy.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import io.resilienceproxy.http.RequestHead;
import io.resilienceproxy.http.ResponseHead;
import io.resilienceproxy.outcome.Delivery;
import io.resilienceproxy.outcome.TlsAlert;
import io.resilienceproxy.outcome.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * What the caller of an exchange is given: the response as it is relayed, one that was held back, a substitute for it, or
 * an answer of the proxy's own. The exchange is finished before the last of it goes out, because what comes next may be the
 * caller's next request.
 *
 * <p>On the exchange's event loop; {@link #close()} gives back what the fallback holds.
 */
final class Reply {

    private final Exchange exchange;
    private final RouteBinding binding;
    private final AttemptHistory history;
    private final Downstream downstream;
    private final Degradation degradation;

    /** @param prefixLength how many characters of the target are not forwarded */
    Reply(Exchange exchange, RequestHead request, int prefixLength, AttemptHistory history) {
        this.exchange = exchange;
        this.binding = exchange.binding();
        this.history = history;
        this.downstream = exchange.downstream();
        this.degradation = Degradation.of(binding.fallback, request, prefixLength);
    }

    /** Whether a response is relayed; else something takes its place once it has been read to its end. */
    boolean relays(ResponseHead head, Verdict verdict) {
        return !degradation.replaces(head.status(), verdict, exchange.now());
    }

    void head(ResponseHead head, Verdict verdict, long requestedNanos) {
        degradation.onAnswer(head, verdict, requestedNanos);
        downstream.head(head, proxyStatus());
    }

    private @Nullable AsciiString proxyStatus() {
        return history.attempts() > 1
                ? ProxyStatus.at(ProxyStatus.attempts(history.attempts()), history.lastEndpoint())
                : null;
    }

    /** Something else is given than what the upstream sends. */
    boolean isReplacing() {
        return degradation.isReplacing();
    }

    /** @return false: of a response that is not relayed that much has come that its end is not waited for */
    boolean body(ByteBuf piece) {
        if (degradation.isReplacing()) {
            return degradation.drop(piece);
        }
        degradation.onBody(piece);
        downstream.body(piece);
        return true;
    }

    /** The response is whole. */
    void end(@Nullable HttpHeaders trailers, int status) {
        degradation.onEnd(trailers);
        exchange.finish(Ending.RESPONSE, null, status);
        downstream.end(trailers);
    }

    /** Of the response nothing more comes: the caller must see that. */
    void abort(int status) {
        exchange.finish(Ending.RESPONSE_ABORTED, null, status);
        downstream.abort();
    }

    /** In place of the response with that status, which has ended. */
    void replace(int status) {
        degrade(null, ProxyStatus.at(ProxyStatus.received(status, history.attempts()), history.lastEndpoint()));
    }

    /** A response whose retry did not come about; it is relayed or closed here. */
    void held(HeldResponse last) {
        if (degradation.replaces(last.status(), binding.verdict(last.status()), exchange.now())) {
            last.close();
            replace(last.status());
            return;
        }
        exchange.finish(Ending.RESPONSE, null, last.status());
        last.relay(downstream, proxyStatus());
    }

    /** The proxy's own answer, or what the fallback has in place of it. */
    void answer(Reason reason, long retryAfterSeconds) {
        boolean close = reason == Reason.BAD_REQUEST || reason == Reason.REQUEST_TIMEOUT;
        Delivery delivery = history.delivery();
        TlsAlert alert = history.alert();
        LocalAnswer known = reason == Reason.TLS_ALERT && alert != null
                ? binding.answers.get(alert, delivery, history.attempts())
                : binding.answers.get(reason, delivery, history.attempts());
        LocalAnswer own = known.with(history.lastEndpoint(), retryAfterSeconds, close);
        if (!close && degradation.find(exchange.now())) {
            degrade(reason, own.proxyStatus());
            return;
        }
        exchange.finish(delivery == Delivery.UNKNOWN ? Ending.UNKNOWN : Ending.NOT_SENT, reason, reason.status());
        downstream.answer(own);
    }

    private void degrade(@Nullable Reason reason, AsciiString proxyStatus) {
        Degradation.Substitute given = degradation.substitute();
        exchange.finish(given.ending(), reason, given.status());
        given.give(downstream, proxyStatus);
    }

    void close() {
        degradation.close();
    }
}
