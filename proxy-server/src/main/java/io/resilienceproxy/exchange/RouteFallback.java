package io.resilienceproxy.exchange;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import io.resilienceproxy.fallback.AnswerKeys;
import io.resilienceproxy.fallback.AnswerStore;
import io.resilienceproxy.outcome.NotKept;
import io.resilienceproxy.policy.FallbackPolicy;
import io.resilienceproxy.policy.FallbackPolicy.FixedResponse;
import io.resilienceproxy.policy.RoutePolicy;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a route has for reads that get no real answer, ready to be used. Immutable; thread-safe.
 *
 * @param store where last good answers are; null: this route keeps none
 * @param keys by what they are told apart
 * @param staleNanos how old they may be
 * @param notKept told why a good answer was not kept
 * @param fixed the answer for when there is no other; null: there is none. Its Proxy-Status is yet to be said
 */
record RouteFallback(
        @Nullable AnswerStore store,
        AnswerKeys keys,
        long staleNanos,
        @Nullable LocalAnswer fixed,
        ExchangeListener listener,
        Consumer<NotKept> notKept) {

    private static final String MARK = "X-Degraded: default\r\n";

    /** Null: the policy has no fallback. A stream has no end to keep, and its last beginning is no answer. */
    static @Nullable RouteFallback of(RoutePolicy policy, @Nullable AnswerStore store, ExchangeListener listener) {
        FallbackPolicy fallback = policy.fallback();
        boolean keeps = fallback.keepsAnswers() && !policy.stream();
        if (!keeps && fallback.response() == null) {
            return null;
        }
        return new RouteFallback(
                keeps ? store : null,
                new AnswerKeys(fallback.keyHeaders()),
                fallback.staleIfError().toNanos(),
                fallback.response() == null ? null : fixed(fallback.response()),
                listener,
                listener::onNotKept);
    }

    private static LocalAnswer fixed(FixedResponse response) {
        StringBuilder fields = new StringBuilder();
        response.fields()
                .forEach(field -> fields.append(field.name())
                        .append(": ")
                        .append(field.value())
                        .append("\r\n"));
        boolean caching =
                response.fields().stream().anyMatch(field -> field.name().equalsIgnoreCase("Cache-Control"));
        return new LocalAnswer(
                response.status(),
                HttpResponseStatus.valueOf(response.status()).reasonPhrase(),
                new AsciiString(fields + (caching ? "" : "Cache-Control: no-store\r\n") + MARK),
                response.body().getBytes(StandardCharsets.UTF_8),
                AsciiString.EMPTY_STRING,
                LocalAnswer.NO_RETRY_AFTER,
                false);
    }
}
