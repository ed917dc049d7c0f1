package io.resilienceproxy.config;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An effective value and where it comes from.
 *
 * @param value usable also when not valid: then it is the default
 * @param place null: nobody named it, it is the format's default
 * @param layer 0 for the part of the file that is being read, more for those that it inherits from
 * @param valid false: a problem was reported, and conclusions from this value would only add noise
 * @param formula what a default was derived from, such as {@code timeouts.read / 2}; null: it is the same everywhere
 */
record Setting<T>(
        T value,
        @Nullable Place place,
        int layer,
        boolean valid,
        @Nullable String formula) {

    private static final int FORMAT = Integer.MAX_VALUE;

    static <T> Setting<T> byDefault(T value) {
        return new Setting<>(value, null, FORMAT, true, null);
    }

    static <T> Setting<T> named(T value, Place place, int layer, boolean valid) {
        return new Setting<>(value, place, layer, valid, null);
    }

    static <T> Setting<T> invalid(T value) {
        return new Setting<>(value, null, FORMAT, false, null);
    }

    /** A default that follows from this setting; as sound as this one. */
    <U> Setting<U> derive(String formula, Function<T, U> rule) {
        return new Setting<>(rule.apply(value), null, FORMAT, valid, formula);
    }

    boolean isDefault() {
        return place == null;
    }

    static boolean allValid(Setting<?>... settings) {
        return Arrays.stream(settings).allMatch(Setting::valid);
    }

    /** Where the most specific of them was named, the first of equals; {@code otherwise} when all are defaults. */
    static Place nearest(Place otherwise, Setting<?>... settings) {
        return Arrays.stream(settings)
                .filter(setting -> !setting.isDefault())
                .min(Comparator.comparingInt(Setting::layer))
                .map(Setting::place)
                .orElse(otherwise);
    }
}
