package io.resilienceproxy.config;

import io.resilienceproxy.policy.RetryPolicy;
import io.resilienceproxy.policy.RetryPolicy.BudgetPolicy;
import io.resilienceproxy.policy.RetryPolicy.RetryOn;
import io.resilienceproxy.policy.StatusSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** {@code retry} with its {@code budget}; what it asks of the whole policy is in {@link RetryChecks}. */
record RetrySettings(
        Setting<Integer> maxAttempts,
        Setting<Duration> firstWait,
        Setting<Double> multiplier,
        Setting<Duration> maxWait,
        Setting<List<Setting<UnaryOperator<RetryOn>>>> retryOn,
        Setting<List<Setting<String>>> methods,
        Setting<String> idempotencyHeader,
        Setting<Integer> maxReplayBody,
        Setting<Integer> ratioThousandths,
        Setting<Integer> maxTokens) {

    private static final int MOST_ATTEMPTS = 5;
    private static final int MOST_TOKENS = 1000;
    private static final int TOKEN = 1000;
    private static final Sizes REPLAY_BODY = new Sizes(0, 16 * Sizes.MIB);

    static RetrySettings read(Section section) {
        RetryPolicy defaults = RetryPolicy.DEFAULT;
        Section budget = section.section("budget");
        return new RetrySettings(
                section.setting("max-attempts", Numbers.whole(1, MOST_ATTEMPTS, Rule.RE_3), defaults.maxAttempts()),
                section.setting("wait-duration", Durations.positive(), defaults.waitDuration()),
                section.setting(
                        "exponential-backoff-multiplier",
                        Numbers.multiplier(),
                        defaults.exponentialBackoffMultiplier()),
                section.setting("max-wait-duration", Durations.positive(), defaults.maxWaitDuration()),
                section.list(
                        "retry-on",
                        Statuses.RETRY_ON,
                        UnaryOperator.identity(),
                        List.of("connect-failure", "reset", "timeout", "429", "5xx")),
                section.list("methods", Words.REPLAYED_METHOD, "", List.of("GET", "HEAD", "OPTIONS")),
                section.setting("idempotency-header", Words.FIELD, defaults.idempotencyHeader()),
                section.setting("max-replay-body", REPLAY_BODY, defaults.maxReplayBody()),
                budget.setting("ratio", Numbers.thousandths(), defaults.budget().depositThousandths()),
                budget.setting(
                        "max-tokens",
                        Numbers.whole(1, MOST_TOKENS),
                        defaults.budget().maxThousandths() / TOKEN));
    }

    /** The ceiling of each pause, in their order. */
    List<Duration> pauses() {
        List<Duration> pauses = new ArrayList<>();
        double ceiling = firstWait.value().toMillis();
        for (int attempt = 1; attempt < maxAttempts.value(); attempt++) {
            pauses.add(Duration.ofMillis(
                    Math.round(Math.min(ceiling, maxWait.value().toMillis()))));
            ceiling *= multiplier.value();
        }
        return pauses;
    }

    /** The ceilings of all pauses together. */
    Duration longestPauses() {
        return pauses().stream().reduce(Duration.ZERO, Duration::plus);
    }

    RetryPolicy toPolicy() {
        RetryOn on = new RetryOn(false, false, false, StatusSet.NONE);
        for (Setting<UnaryOperator<RetryOn>> item : retryOn.value()) {
            on = item.value().apply(on);
        }
        Set<String> replayed = methods.value().stream().map(Setting::value).collect(Collectors.toSet());
        return new RetryPolicy(
                maxAttempts.value(),
                firstWait.value(),
                multiplier.value(),
                maxWait.value(),
                on,
                replayed,
                idempotencyHeader.value(),
                maxReplayBody.value(),
                new BudgetPolicy(ratioThousandths.value(), maxTokens.value() * TOKEN));
    }
}
