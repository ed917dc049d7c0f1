package io.resilienceproxy.config;

import io.resilienceproxy.policy.Timeouts;
import java.time.Duration;

/** {@code timeouts}: connect below read below call (rules TO-1, TO-X2, TO-X3). */
record TimeoutSettings(Setting<Duration> connect, Setting<Duration> read, Setting<Duration> call) {

    private static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);
    private static final Duration LONGEST_READ = Duration.ofSeconds(60);
    private static final Duration MARGIN = Duration.ofSeconds(1);

    static TimeoutSettings read(Section section) {
        Timeouts defaults = Timeouts.DEFAULT;
        return new TimeoutSettings(
                section.setting("connect", Durations.atMost(LONGEST_CONNECT, Rule.TO_1), defaults.connect()),
                section.setting("read", Durations.atMost(LONGEST_READ, Rule.TO_X3), defaults.read()),
                section.setting("call", Durations.positive(), defaults.call()));
    }

    void check(Section section) {
        Comparison<Duration> order = Comparison.durations(section, Rule.TO_X2);
        order.below("timeouts.connect", connect, "timeouts.read", read);
        order.below("timeouts.read", read, "timeouts.call", call);
        Duration room = oneAttempt().plus(MARGIN);
        boolean ordered =
                connect.value().compareTo(read.value()) < 0 && read.value().compareTo(call.value()) < 0;
        if (Setting.allValid(connect, read, call) && ordered && call.value().compareTo(room) < 0) {
            section.problems()
                    .warning(
                            Setting.nearest(section.place(), call, read, connect),
                            Rule.TO_1,
                            "call is " + Durations.written(call.value()) + " (advised: at least connect "
                                    + Durations.written(connect.value()) + " + read " + Durations.written(read.value())
                                    + " + 1s = " + Durations.written(room) + ")");
        }
    }

    /** What one attempt may take to its first byte. */
    Duration oneAttempt() {
        return connect.value().plus(read.value());
    }

    Timeouts toPolicy() {
        return new Timeouts(connect.value(), read.value(), call.value());
    }
}
