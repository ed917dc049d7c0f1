package io.resilienceproxy.cli;

import io.resilienceproxy.fallback.AnswerStore;
import io.resilienceproxy.policy.FallbackPolicy;
import io.resilienceproxy.policy.RoutePolicy;
import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.policy.UpstreamUrl;
import io.resilienceproxy.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The last good answers of every upstream that keeps any. One that has the same urls keeps them over a reload, under new
 * bounds if it has them; those of others may be those of another system. Changed by one thread at a time; read by any.
 */
final class AnswerStores {

    private record Kept(List<UpstreamUrl> urls, AnswerStore answers) {}

    private final Clock clock;
    private volatile Map<String, Kept> byUpstream = Map.of();

    AnswerStores(Clock clock) {
        this.clock = clock;
    }

    void follow(List<UpstreamPolicy> upstreams) {
        Map<String, Kept> last = byUpstream;
        Map<String, Kept> next = new LinkedHashMap<>();
        for (UpstreamPolicy upstream : upstreams) {
            Duration longest = longest(upstream);
            if (!longest.isZero()) {
                next.put(upstream.name(), follow(upstream, longest, last.get(upstream.name())));
            }
        }
        byUpstream = next;
    }

    private Kept follow(UpstreamPolicy upstream, Duration longest, @Nullable Kept before) {
        int maxBytes = upstream.defaultRoute().fallback().maxBytes();
        if (before != null && before.urls.equals(upstream.urls())) {
            before.answers.change(maxBytes, longest);
            return before;
        }
        AnswerStore replaced = before == null ? null : before.answers;
        return new Kept(upstream.urls(), new AnswerStore(maxBytes, longest, clock, replaced));
    }

    private static Duration longest(UpstreamPolicy upstream) {
        return Stream.concat(upstream.routes().stream(), Stream.of(upstream.defaultRoute()))
                .map(RoutePolicy::fallback)
                .map(FallbackPolicy::staleIfError)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    @Nullable
    AnswerStore of(UpstreamPolicy upstream) {
        Kept kept = byUpstream.get(upstream.name());
        return kept == null ? null : kept.answers;
    }

    Map<String, AnswerStore> byUpstream() {
        Map<String, AnswerStore> answers = new LinkedHashMap<>();
        byUpstream.forEach((name, kept) -> answers.put(name, kept.answers));
        return answers;
    }
}
