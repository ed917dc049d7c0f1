package io.resilienceproxy.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import io.resilienceproxy.fallback.AnswerCapture;
import io.resilienceproxy.fallback.StoredAnswer;
import io.resilienceproxy.http.RequestHead;
import io.resilienceproxy.http.ResponseHead;
import org.jspecify.annotations.Nullable;

/**
 * The fallback of one exchange: keeps the answer while it is relayed, and gives another one where there is no real one. The
 * order is a last good answer, marked as stale; then the fixed one, marked as default; else there is nothing to give, and
 * the caller gets an honest refusal (rules FB-1, FB-X1, order). Only reads have one.
 *
 * <p>On the exchange's event loop; {@link #close()} gives back what a capture holds.
 */
final class Degradation {

    private static final AsciiString ACCEPT_DEGRADED = AsciiString.cached("X-Accept-Degraded");
    private static final AsciiString DEGRADED = AsciiString.cached("X-Degraded");
    private static final AsciiString CACHE_STATUS = AsciiString.cached("Cache-Status");
    private static final String STALE_HIT = LocalAnswer.PROXY_NAME + "; hit; fwd=stale";

    private final RouteFallback fallback;
    private final RequestHead request;
    private @Nullable AnswerCapture capture;

    private Degradation(RouteFallback fallback, RequestHead request) {
        this.fallback = fallback;
        this.request = request;
    }

    /** Null: this exchange gets a real answer or a refusal. */
    static @Nullable Degradation of(@Nullable RouteFallback fallback, RequestHead request) {
        boolean read = request.isHead() || request.method().equals("GET");
        return fallback == null || !read || request.webSocket() ? null : new Degradation(fallback, request);
    }

    /** A real answer begins; as the caller gets it. @param requestedNanos when the exchange began */
    void onAnswer(ResponseHead head, long requestedNanos) {
        if (fallback.store() != null) {
            capture = fallback.store().capture(fallback.keys(), request, head, requestedNanos);
        }
    }

    /** The next piece of it, which is only looked at. */
    void onBody(ByteBuf piece) {
        if (capture != null) {
            capture.add(piece);
        }
    }

    /** It is whole. */
    void onEnd(@Nullable HttpHeaders trailers) {
        if (capture != null) {
            capture.complete(trailers);
        }
    }

    /** What is still being kept is given up. */
    void close() {
        if (capture != null) {
            capture.abandon();
            capture = null;
        }
    }

    /**
     * What can be given in place of a real answer.
     *
     * @return null: nothing, or the caller wants none ({@code X-Accept-Degraded: no})
     */
    @Nullable
    Substitute find(long now) {
        StoredAnswer stored = fallback.store() == null
                ? null
                : fallback.store().find(fallback.keys(), request, fallback.staleNanos());
        LocalAnswer fixed = fallback.fixed();
        if (stored == null && fixed == null) {
            return null;
        }
        if (request.fields().containsValue(ACCEPT_DEGRADED, "no", true)) {
            fallback.listener().onDegradedDeclined();
            return null;
        }
        return stored == null ? new Fixed(fixed) : new Stale(stored, request.isHead(), stored.ageSeconds(now));
    }

    /** An answer in place of a real one. */
    sealed interface Substitute {

        Ending ending();

        int status();

        /** @param proxyStatus a whole field line that says what went wrong */
        void give(Downstream to, AsciiString proxyStatus);
    }

    private record Stale(StoredAnswer answer, boolean toHead, long ageSeconds) implements Substitute {

        @Override
        public Ending ending() {
            return Ending.DEGRADED_STALE;
        }

        @Override
        public int status() {
            return answer.status();
        }

        @Override
        public void give(Downstream to, AsciiString proxyStatus) {
            ResponseHead head = answer.head(toHead);
            head.fields()
                    .set(HttpHeaderNames.AGE, Long.toString(ageSeconds))
                    .add(CACHE_STATUS, STALE_HIT)
                    .set(DEGRADED, "stale");
            to.head(head, proxyStatus);
            if (head.bodyLength() > 0) {
                to.body(answer.body());
            }
            to.end(null);
        }
    }

    private record Fixed(LocalAnswer answer) implements Substitute {

        @Override
        public Ending ending() {
            return Ending.DEGRADED_DEFAULT;
        }

        @Override
        public int status() {
            return answer.status();
        }

        @Override
        public void give(Downstream to, AsciiString proxyStatus) {
            to.answer(answer.with(proxyStatus));
        }
    }
}
