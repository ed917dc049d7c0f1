package io.resilienceproxy.config;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One part of the file on top of those that it inherits from, key by key: a route on its upstream on {@code defaults}.
 * Wrong shapes have been reported before a section is read.
 */
final class Section {

    private final Problems problems;
    private final Place place;
    private final List<@Nullable Value> layers;

    private Section(Problems problems, Place place, List<@Nullable Value> layers) {
        this.problems = problems;
        this.place = place;
        this.layers = layers;
    }

    /** {@code own} first, then what it inherits from, nearest first. */
    static Section of(Problems problems, Value own, Value... inherited) {
        List<@Nullable Value> layers = new ArrayList<>();
        layers.add(own);
        layers.addAll(List.of(inherited));
        return new Section(problems, own.place(), layers);
    }

    /** Where to report what is named nowhere. */
    Place place() {
        return place;
    }

    Problems problems() {
        return problems;
    }

    /** The part under a key; without any entries when nobody names it. */
    Section section(String key) {
        List<@Nullable Value> parts = new ArrayList<>();
        for (Value layer : layers) {
            parts.add(layer instanceof Value.Mapping mapping ? mapping.get(key) : layer);
        }
        Value own = parts.get(0);
        return new Section(problems, own == null ? place.missing(key) : own.place(), parts);
    }

    /** Whether this part itself has the key, inheritance aside. */
    boolean names(String key) {
        return layers.get(0) instanceof Value.Mapping mapping && mapping.get(key) != null;
    }

    <T> Setting<T> setting(String key, Type<T> type, T otherwise) {
        return setting(key, type, Setting.byDefault(otherwise));
    }

    <T> Setting<T> setting(String key, Type<T> type, Setting<T> otherwise) {
        return read(key, otherwise, (value, layer) -> scalar(value, layer, type, otherwise.value()));
    }

    /** A list replaces the inherited one as a whole. */
    <T> Setting<List<Setting<T>>> list(String key, Type<T> type, T placeholder, List<Setting<T>> otherwise) {
        Setting<List<Setting<T>>> inherited = Setting.byDefault(otherwise);
        return read(key, inherited, (value, layer) -> {
            if (!(value instanceof Value.Sequence sequence)) {
                return Setting.invalid(otherwise);
            }
            List<Setting<T>> items = new ArrayList<>();
            sequence.items().forEach(item -> items.add(scalar(item, layer, type, placeholder)));
            boolean valid = items.stream().allMatch(Setting::valid);
            return new Setting<>(items, value.place(), layer, valid);
        });
    }

    private <T> Setting<T> read(String key, Setting<T> otherwise, Reading<T> reading) {
        for (int layer = 0; layer < layers.size(); layer++) {
            Value part = layers.get(layer);
            if (part != null && !(part instanceof Value.Mapping)) {
                return Setting.invalid(otherwise.value());
            }
            Value value = part instanceof Value.Mapping mapping ? mapping.get(key) : null;
            if (value != null) {
                return reading.read(value, layer);
            }
        }
        return otherwise;
    }

    private <T> Setting<T> scalar(Value value, int layer, Type<T> type, T otherwise) {
        if (!(value instanceof Value.Scalar scalar)) {
            return Setting.invalid(otherwise);
        }
        try {
            return new Setting<>(type.parse(scalar.text()), scalar.place(), layer, true);
        } catch (Type.Mismatch e) {
            // Whoever said it is read by itself too, and has been told.
            if (layer == 0) {
                problems.error(scalar.place(), e.code(), scalar.kind() + " (expected: " + e.expected() + ")");
            }
            return Setting.invalid(otherwise);
        }
    }

    private interface Reading<T> {
        Setting<T> read(Value value, int layer);
    }
}
