package io.resilienceproxy.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import io.resilienceproxy.fallback.AnswerCapture;
import io.resilienceproxy.fallback.StoredAnswer;
import io.resilienceproxy.http.RequestHead;
import io.resilienceproxy.http.ResponseHead;
import io.resilienceproxy.outcome.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * The fallback of one exchange: keeps the answer while it is relayed, and gives another one where there is no real one. The
 * order is a last good answer, marked as stale; then the fixed one, marked as default; else there is nothing to give, and
 * the caller gets an honest refusal (rules FB-1, FB-X1, order). Only reads have one.
 *
 * <p>On the exchange's event loop; {@link #close()} gives back what a capture holds. Without a fallback it keeps and gives
 * nothing, and all exchanges share one.
 */
final class Degradation {

    private static final AsciiString ACCEPT_DEGRADED = AsciiString.cached("X-Accept-Degraded");
    private static final AsciiString DEGRADED = AsciiString.cached("X-Degraded");
    private static final AsciiString CACHE_STATUS = AsciiString.cached("Cache-Status");
    private static final String STALE_HIT = LocalAnswer.PROXY_NAME + "; hit; fwd=stale";

    private static final Degradation NONE = new Degradation(null, null, 0);

    private final @Nullable RouteFallback fallback;
    private final @Nullable RequestHead request;
    private final int prefixLength;
    private @Nullable AnswerCapture capture;
    private @Nullable Substitute substitute;
    private int droppedBytes;

    private Degradation(@Nullable RouteFallback fallback, @Nullable RequestHead request, int prefixLength) {
        this.fallback = fallback;
        this.request = request;
        this.prefixLength = prefixLength;
    }

    /** @param prefixLength how many characters of the target are not forwarded */
    static Degradation of(@Nullable RouteFallback fallback, RequestHead request, int prefixLength) {
        boolean read = request.isHead() || request.method().equals("GET");
        return fallback == null || !read || request.webSocket()
                ? NONE
                : new Degradation(fallback, request, prefixLength);
    }

    /** An answer begins; as the caller gets it. @param requestedNanos when the exchange began */
    void onAnswer(ResponseHead head, Verdict verdict, long requestedNanos) {
        if (verdict == Verdict.SUCCESS && request != null && fallback != null && fallback.store() != null) {
            capture = fallback.store()
                    .capture(fallback.keys(), request, prefixLength, head, requestedNanos, fallback.notKept());
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
     * Whether the caller gets something better than that response, whose retries have ended. What the upstream says is wrong
     * with the request stands.
     */
    boolean replaces(int status, Verdict verdict, long now) {
        return verdict == Verdict.FAILURE && status >= 500 && find(now);
    }

    /**
     * Whether there is something to give in place of a real answer: then it is the {@link #substitute()}. Not where the
     * caller wants none ({@code X-Accept-Degraded: no}).
     */
    boolean find(long now) {
        if (fallback == null || request == null) {
            return false;
        }
        StoredAnswer stored = fallback.store() == null
                ? null
                : fallback.store().find(fallback.keys(), request, prefixLength, fallback.staleNanos());
        LocalAnswer fixed = fallback.fixed();
        if (stored == null && fixed == null) {
            return false;
        }
        if (request.fields().containsValue(ACCEPT_DEGRADED, "no", true)) {
            fallback.listener().onDegradedDeclined();
            return false;
        }
        substitute = stored == null ? new Fixed(fixed) : new Stale(stored, request.isHead(), stored.ageSeconds(now));
        return true;
    }

    /** Something else is given than what the upstream sends. */
    boolean isReplacing() {
        return substitute != null;
    }

    /** @throws IllegalStateException when nothing was found */
    Substitute substitute() {
        if (substitute == null) {
            throw new IllegalStateException("there is nothing to give");
        }
        return substitute;
    }

    /**
     * A piece of the failure that is replaced: its end is waited for, so that its connection can go on, but not for long.
     *
     * @return false: it is longer than that
     */
    boolean drop(ByteBuf piece) {
        droppedBytes += piece.readableBytes();
        piece.release();
        return droppedBytes <= HeldResponse.MAX_BYTES;
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
