package io.resilienceproxy.config;

import io.resilienceproxy.policy.CircuitBreakerPolicy;
import io.resilienceproxy.policy.CircuitBreakerPolicy.WindowType;
import io.resilienceproxy.policy.StatusSet;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** {@code circuit-breaker} (rules CB-2 to CB-5); a slow call takes half of the read timeout unless said otherwise. */
record CircuitBreakerSettings(
        Setting<WindowType> windowType,
        Setting<Integer> windowSize,
        Setting<Integer> minimumCalls,
        Setting<Integer> failureRate,
        Setting<Duration> slowCall,
        Setting<Integer> slowCallRate,
        Setting<Duration> waitInOpen,
        Setting<Integer> permittedInHalfOpen,
        Setting<List<Setting<UnaryOperator<StatusSet>>>> failureStatuses) {

    private static final int MOST_CALLS = 10_000;
    private static final int HIGH_FAILURE_RATE = 80;

    static CircuitBreakerSettings read(Section section, Setting<Duration> readTimeout) {
        CircuitBreakerPolicy defaults = CircuitBreakerPolicy.defaults(readTimeout.value());
        return new CircuitBreakerSettings(
                section.setting(
                        "sliding-window-type",
                        Words.oneOf(WindowType.class, WindowType::name),
                        defaults.slidingWindowType()),
                section.setting("sliding-window-size", Numbers.whole(2, MOST_CALLS), defaults.slidingWindowSize()),
                section.setting(
                        "minimum-number-of-calls",
                        Numbers.whole(2, MOST_CALLS, Rule.CB_2),
                        defaults.minimumNumberOfCalls()),
                section.setting("failure-rate-threshold", Numbers.percent(), defaults.failureRateThreshold()),
                section.setting(
                        "slow-call-duration-threshold",
                        Durations.positive(),
                        readTimeout.derive("timeouts.read / 2", read -> defaults.slowCallDurationThreshold())),
                section.setting("slow-call-rate-threshold", Numbers.percent(), defaults.slowCallRateThreshold()),
                section.setting(
                        "wait-duration-in-open-state", Durations.positive(), defaults.waitDurationInOpenState()),
                section.setting(
                        "permitted-number-of-calls-in-half-open-state",
                        Numbers.whole(1, MOST_CALLS),
                        defaults.permittedNumberOfCallsInHalfOpenState()),
                section.list("failure-statuses", Statuses.STATUS, UnaryOperator.identity(), List.of("5xx")));
    }

    void check(Section section, Setting<Duration> readTimeout) {
        // A time-based window is in seconds: its size says nothing about how many calls it will see.
        if (windowType.valid() && windowType.value() == WindowType.COUNT_BASED) {
            Comparison.numbers(section, Rule.CB_2)
                    .atMost("minimum-number-of-calls", minimumCalls, "sliding-window-size", windowSize);
        }
        if (failureRate.value() > HIGH_FAILURE_RATE) {
            section.problems()
                    .warning(
                            Setting.nearest(section.place(), failureRate),
                            Rule.CB_3,
                            failureRate.value() + " (advised: 50 percent, 30 for critical systems, at most 80)");
        }
        if (Setting.allValid(slowCall, readTimeout) && slowCall.value().compareTo(readTimeout.value()) >= 0) {
            section.problems()
                    .warning(
                            Setting.nearest(section.place(), slowCall, readTimeout),
                            Rule.CB_5,
                            "slow-call-duration-threshold is " + Durations.written(slowCall.value())
                                    + ", it never fires (advised: half of timeouts.read, which is "
                                    + Durations.written(readTimeout.value()) + ")");
        }
    }

    CircuitBreakerPolicy toPolicy() {
        StatusSet statuses = StatusSet.NONE;
        for (Setting<UnaryOperator<StatusSet>> status : failureStatuses.value()) {
            statuses = status.value().apply(statuses);
        }
        return new CircuitBreakerPolicy(
                windowType.value(),
                windowSize.value(),
                minimumCalls.value(),
                failureRate.value(),
                slowCall.value(),
                slowCallRate.value(),
                waitInOpen.value(),
                permittedInHalfOpen.value(),
                statuses);
    }
}
