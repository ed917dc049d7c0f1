package io.resilienceproxy.config;

import io.resilienceproxy.policy.FallbackPolicy;
import io.resilienceproxy.policy.FallbackPolicy.Field;
import io.resilienceproxy.policy.FallbackPolicy.FixedResponse;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code fallback} (rules FB-1, FB-X1). What a route does not say of it is its upstream's, but for the memory. */
record FallbackSettings(
        Setting<Duration> staleIfError,
        Setting<List<Setting<String>>> keyHeaders,
        Setting<Integer> status,
        Setting<Map<String, Setting<String>>> headers,
        Setting<String> body) {

    /** How {@code response.status} says that there is no such response. */
    static final String NONE = "none";

    private static final int NO_STATUS = 0;
    private static final int OK = 200;
    private static final Set<String> READS = Set.of("GET", "HEAD");

    /** A status that a response may have by itself: 304 would be about one that the caller already has. */
    private static final Type<Integer> STATUS = Type.of(
            new Form.Fixed(NONE + "|[2-5][0-9]{2}"),
            FallbackSettings::status,
            status -> status == NO_STATUS ? NONE : Integer.toString(status));

    private static final Set<Integer> WITHOUT_BODY = Set.of(204, 205);

    static FallbackSettings read(Section section) {
        Section response = section.section("response");
        Setting<Map<String, Setting<String>>> headers =
                response.map("headers", Words.ANSWER_FIELD, Words.FIELD_VALUE, "");
        Setting<String> body = response.optional("body", Words.TEXT, "");
        return new FallbackSettings(
                section.setting("stale-if-error", Durations.orZero(), Duration.ZERO),
                section.list("key-headers", Words.FIELD, "", List.of()),
                response.setting("status", STATUS, defaultStatus(headers, body)),
                headers,
                body);
    }

    private static Setting<Integer> defaultStatus(Setting<?> headers, Setting<?> body) {
        Setting<?> named = headers.isDefault() ? body : headers;
        return named.isDefault() ? Setting.byDefault(NO_STATUS) : named.derive("headers or body are named", any -> OK);
    }

    /** {@code max-bytes}, which an upstream and {@code defaults} can name and a route cannot. */
    static Setting<Integer> readMaxBytes(Section section) {
        return section.setting(
                "max-bytes", new Sizes(64 * Sizes.KIB, 1024 * Sizes.MIB), FallbackPolicy.DEFAULT_MAX_BYTES);
    }

    private static Integer status(String text) throws Type.Mismatch {
        if (text.equals(NONE)) {
            return NO_STATUS;
        }
        if (!text.matches("[2-5][0-9]{2}") || text.equals("304")) {
            throw new Type.Mismatch("a status from 200 to 599 but not 304, or none");
        }
        return Integer.parseInt(text);
    }

    void check(Section section) {
        if (WITHOUT_BODY.contains(status.value())
                && body.valid()
                && !body.value().isEmpty()) {
            section.problems()
                    .error(
                            Setting.nearest(section.place(), body, status),
                            "a body with status " + status.value() + ", which has none (expected: no body)");
        }
    }

    /** A route that has another fallback than its upstream answers reads, and nothing else. */
    static void checkMethods(Section route, Setting<List<Setting<String>>> methods) {
        for (Setting<String> method : methods.value()) {
            if (method.valid() && method.place() != null && !READS.contains(method.value())) {
                route.problems()
                        .error(
                                method.place(),
                                Rule.FB_X1,
                                method.value()
                                        + " in a route with a fallback of its own, which never answers a write"
                                        + " (expected: GET and HEAD only, or no fallback here)");
            }
        }
    }

    FallbackPolicy toPolicy(int maxBytes) {
        return new FallbackPolicy(
                staleIfError.value(),
                maxBytes,
                keyHeaders.value().stream()
                        .map(name -> name.value().toLowerCase(Locale.ROOT))
                        .toList(),
                response());
    }

    private @Nullable FixedResponse response() {
        if (status.value() == NO_STATUS) {
            return null;
        }
        List<Field> fields = headers.value().entrySet().stream()
                .map(entry -> new Field(entry.getKey(), entry.getValue().value()))
                .toList();
        return new FixedResponse(status.value(), fields, body.value());
    }
}
