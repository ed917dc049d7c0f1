package io.resilienceproxy.config;

import io.resilienceproxy.policy.DeadlinePolicy;
import java.time.Duration;

/** {@code deadline} (rule TO-3). */
record DeadlineSettings(Setting<String> header, Setting<Duration> buffer) {

    static DeadlineSettings read(Section section) {
        DeadlinePolicy defaults = DeadlinePolicy.DEFAULT;
        return new DeadlineSettings(
                section.setting("header", Words.FIELD, defaults.header()),
                section.setting("buffer", Durations.orZero(), defaults.buffer()));
    }

    /** A buffer of the whole call would leave nothing to tell the upstream: every request would be refused. */
    void check(Section section, Setting<Duration> call) {
        Comparison.durations(section, Rule.TO_3).below("deadline.buffer", buffer, "timeouts.call", call);
    }

    DeadlinePolicy toPolicy() {
        return new DeadlinePolicy(header.value(), buffer.value());
    }
}
