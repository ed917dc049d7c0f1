package io.resilienceproxy.config;

import io.resilienceproxy.policy.DeadlinePolicy;
import java.time.Duration;

/** {@code deadline}. */
record DeadlineSettings(Setting<String> header, Setting<Duration> buffer) {

    static DeadlineSettings read(Section section) {
        DeadlinePolicy defaults = DeadlinePolicy.DEFAULT;
        return new DeadlineSettings(
                section.setting("header", Words::fieldName, defaults.header()),
                section.setting("buffer", Durations.orZero(), defaults.buffer()));
    }

    DeadlinePolicy toPolicy() {
        return new DeadlinePolicy(header.value(), buffer.value());
    }
}
