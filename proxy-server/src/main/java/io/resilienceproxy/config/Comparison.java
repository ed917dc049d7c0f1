package io.resilienceproxy.config;

import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Two settings of which one bounds the other. The problem stands where the more specific of them was named, because that
 * is the one to change; the message names the other.
 *
 * @param rule that is broken, null if none
 * @param show how a value is written
 */
record Comparison<T extends Comparable<T>>(
        Problems problems, Place otherwise, @Nullable Rule rule, Function<T, String> show) {

    static Comparison<Duration> durations(Section section, @Nullable Rule rule) {
        return new Comparison<>(section.problems(), section.place(), rule, Durations::written);
    }

    static Comparison<Integer> numbers(Section section, @Nullable Rule rule) {
        return new Comparison<>(section.problems(), section.place(), rule, String::valueOf);
    }

    /** Reports unless {@code lesser < greater}. */
    void below(String lesserKey, Setting<T> lesser, String greaterKey, Setting<T> greater) {
        if (lesser.value().compareTo(greater.value()) >= 0) {
            report("below", lesserKey, lesser, "above", greaterKey, greater);
        }
    }

    /** Reports unless {@code lesser <= greater}. */
    void atMost(String lesserKey, Setting<T> lesser, String greaterKey, Setting<T> greater) {
        if (lesser.value().compareTo(greater.value()) > 0) {
            report("at most", lesserKey, lesser, "at least", greaterKey, greater);
        }
    }

    private void report(
            String lesserIs,
            String lesserKey,
            Setting<T> lesser,
            String greaterIs,
            String greaterKey,
            Setting<T> greater) {
        if (!Setting.allValid(lesser, greater)) {
            return;
        }
        Place place = Setting.nearest(otherwise, lesser, greater);
        problems.error(
                place,
                rule,
                place.equals(lesser.place())
                        ? message(lesser, lesserIs, greaterKey, greater)
                        : message(greater, greaterIs, lesserKey, lesser));
    }

    private String message(Setting<T> found, String relation, String otherKey, Setting<T> other) {
        String origin =
                other.isDefault() ? "by default" : "at line " + other.place().line();
        return show.apply(found.value()) + " (expected: " + relation + " " + otherKey + ", which is "
                + show.apply(other.value()) + " " + origin + ")";
    }
}
