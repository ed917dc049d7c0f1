package io.resilienceproxy.config;

import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether retries are bounded, and fit the time there is (rules RE-1, RE-4, budget, product). */
final class RetryChecks {

    private static final Duration MUCH_WAITING = Duration.ofSeconds(5);
    private static final Duration TOO_MUCH_WAITING = Duration.ofSeconds(30);
    private static final int HIGH_RATIO_THOUSANDTHS = 200;
    private static final Set<String> IDEMPOTENT_WRITES = Set.of("PUT", "DELETE");

    private final Section section;
    private final RetrySettings retry;

    RetryChecks(Section section, RetrySettings retry) {
        this.section = section;
        this.retry = retry;
    }

    void check(TimeoutSettings timeouts) {
        Comparison.durations(section, null)
                .atMost("wait-duration", retry.firstWait(), "max-wait-duration", retry.maxWait());
        for (Setting<String> method : retry.methods().value()) {
            if (IDEMPOTENT_WRITES.contains(method.value()) && method.place() != null) {
                section.problems()
                        .warning(
                                method.place(),
                                Rule.RE_1,
                                method.value() + " (advised: reads only; writes with a key)");
            }
        }
        if (retry.ratioThousandths().value() > HIGH_RATIO_THOUSANDTHS) {
            section.problems()
                    .warning(
                            Setting.nearest(section.place(), retry.ratioThousandths()),
                            Rule.BUDGET,
                            retry.ratioThousandths().value() / 1000.0 + " (advised: at most 0.2)");
        }
        if (Setting.allValid(retry.maxAttempts(), retry.firstWait(), retry.multiplier(), retry.maxWait())) {
            checkPauses();
            checkProduct(timeouts);
        }
    }

    private void checkPauses() {
        Duration pauses = retry.longestPauses();
        String sum = retry.pauses().stream().map(Durations::written).collect(Collectors.joining(" + "));
        String found = "pauses of up to " + sum + " = " + Durations.written(pauses);
        Place place = Setting.nearest(
                section.place(), retry.maxAttempts(), retry.firstWait(), retry.maxWait(), retry.multiplier());
        if (pauses.compareTo(TOO_MUCH_WAITING) > 0) {
            section.problems()
                    .error(place, Rule.RE_4, found + " (expected: at most 30s; more is work for a task queue)");
        } else if (pauses.compareTo(MUCH_WAITING) > 0) {
            section.problems().warning(place, Rule.RE_4, found + " (advised: at most 5s)");
        }
    }

    private void checkProduct(TimeoutSettings timeouts) {
        int attempts = retry.maxAttempts().value();
        Duration needed = timeouts.oneAttempt().multipliedBy(attempts).plus(retry.longestPauses());
        Duration call = timeouts.call().value();
        boolean valid = Setting.allValid(timeouts.connect(), timeouts.read(), timeouts.call());
        // One attempt is what the order of the timeouts is about.
        if (!valid || attempts == 1 || needed.compareTo(call) <= 0) {
            return;
        }
        Place place = Setting.nearest(
                section.place(),
                timeouts.call(),
                retry.maxAttempts(),
                timeouts.read(),
                timeouts.connect(),
                retry.firstWait(),
                retry.maxWait(),
                retry.multiplier());
        section.problems()
                .warning(
                        place,
                        Rule.PRODUCT,
                        "call is " + Durations.written(call) + ", later attempts may never run (advised: " + attempts
                                + " x (connect "
                                + Durations.written(timeouts.connect().value())
                                + " + read " + Durations.written(timeouts.read().value())
                                + ") + pauses " + Durations.written(retry.longestPauses())
                                + " = " + Durations.written(needed) + ")");
    }
}
