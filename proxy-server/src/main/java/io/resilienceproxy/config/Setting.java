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
 */
record Setting<T>(T value, @Nullable Place place, int layer, boolean valid) {

    private static final int FORMAT = Integer.MAX_VALUE;

    static <T> Setting<T> byDefault(T value) {
        return new Setting<>(value, null, FORMAT, true);
    }

    static <T> Setting<T> invalid(T value) {
        return new Setting<>(value, null, FORMAT, false);
    }

    /** A default that follows from this setting; as sound as this one. */
    <U> Setting<U> derive(Function<T, U> rule) {
        return new Setting<>(rule.apply(value), null, FORMAT, valid);
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
