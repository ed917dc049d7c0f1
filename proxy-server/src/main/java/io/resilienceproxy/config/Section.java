package io.resilienceproxy.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One part of the file on top of those that it inherits from, key by key: a route on its upstream on {@code defaults}.
 * Wrong shapes have been reported before a section is read. Everything that is read is written down in the ledger.
 */
final class Section {

    private final Problems problems;
    private final Ledger ledger;
    private final Place place;
    private final List<Layer> layers;

    private Section(Problems problems, Ledger ledger, Place place, List<Layer> layers) {
        this.problems = problems;
        this.ledger = ledger;
        this.place = place;
        this.layers = layers;
    }

    /** {@code own} first, then what it inherits from, nearest first. */
    static Section of(Problems problems, Ledger ledger, Value own, Layer... layers) {
        return new Section(problems, ledger, own.place(), List.of(layers));
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
        List<Layer> parts = layers.stream().map(layer -> layer.below(key)).toList();
        Value own = parts.get(0).part();
        return new Section(problems, ledger, own == null ? place.missing(key) : own.place(), parts);
    }

    /** Whether this part itself has the key, inheritance aside. */
    boolean names(String key) {
        return layers.get(0).get(key) != null;
    }

    /** What was read under the key is not in effect here: the upstream's is. */
    void share(String key) {
        ledger.share(place.path().key(key));
    }

    <T> Setting<T> setting(String key, Type<T> type, T otherwise) {
        return setting(key, type, Setting.byDefault(otherwise));
    }

    <T> Setting<T> setting(String key, Type<T> type, Setting<T> otherwise) {
        return setting(key, type, otherwise, List.of(type.show(otherwise.value())));
    }

    /** One that has no value unless it is named; the placeholder stands for none. */
    <T> Setting<T> optional(String key, Type<T> type, T placeholder) {
        return setting(key, type, Setting.byDefault(placeholder), null);
    }

    private <T> Setting<T> setting(String key, Type<T> type, Setting<T> otherwise, @Nullable List<String> defaultText) {
        int layer = sayer(key);
        Value value = layer < 0 ? null : layers.get(layer).get(key);
        if (value == null) {
            enter(key, new Ledger.Entry(type, false, defaultText, Origin.ofDefault(otherwise)));
            return layer < 0 ? otherwise : Setting.invalid(otherwise.value());
        }
        enter(key, new Ledger.Entry(type, false, Origin.shown(type, value), Origin.of(layers.get(layer), value)));
        return scalar(value, layer, type, otherwise.value());
    }

    /** A list replaces the inherited one as a whole. {@code defaults} are written as in a file. */
    <T> Setting<List<Setting<T>>> list(String key, Type<T> type, T placeholder, List<String> defaults) {
        return list(key, type, placeholder, defaults, defaults);
    }

    /** A list that has no value unless it is named; none is empty. */
    <T> Setting<List<Setting<T>>> optionalList(String key, Type<T> type, T placeholder) {
        return list(key, type, placeholder, List.of(), null);
    }

    private <T> Setting<List<Setting<T>>> list(
            String key, Type<T> type, T placeholder, List<String> defaults, @Nullable List<String> defaultTexts) {
        Setting<List<Setting<T>>> otherwise = Setting.byDefault(
                defaults.stream().map(text -> byDefault(type, text)).toList());
        int layer = sayer(key);
        Value value = layer < 0 ? null : layers.get(layer).get(key);
        if (value == null) {
            enter(key, new Ledger.Entry(type, true, defaultTexts, Origin.ofDefault(otherwise)));
            return layer < 0 ? otherwise : Setting.invalid(otherwise.value());
        }
        enter(key, new Ledger.Entry(type, true, Origin.shown(type, value), Origin.of(layers.get(layer), value)));
        if (!(value instanceof Value.Sequence sequence)) {
            return Setting.invalid(otherwise.value());
        }
        List<Setting<T>> items = new ArrayList<>();
        sequence.items().forEach(item -> items.add(scalar(item, layer, type, placeholder)));
        return Setting.named(items, value.place(), layer, items.stream().allMatch(Setting::valid));
    }

    /**
     * A map from names that the writer chooses to scalars, which replaces the inherited one as a whole; empty unless named.
     */
    <T> Setting<Map<String, Setting<T>>> map(String key, Type<?> names, Type<T> values, T placeholder) {
        int layer = sayer(key);
        Value value = layer < 0 ? null : layers.get(layer).get(key);
        if (!(value instanceof Value.Mapping mapping)) {
            enter(key, new Ledger.Entry(values, false, null, "default"));
            return layer < 0 ? Setting.byDefault(Map.of()) : Setting.invalid(Map.of());
        }
        String origin = Origin.of(layers.get(layer), value);
        List<String> written = List.copyOf(mapping.entries().keySet());
        enter(key, new Ledger.Entry(values, true, written, origin));
        Map<String, Setting<T>> entries = new LinkedHashMap<>();
        mapping.entries().forEach((name, entry) -> {
            checkName(names, name, entry, layer);
            ledger.add(
                    place.path().key(key).key(name), new Ledger.Entry(values, false, Origin.shown(values, entry), ""));
            entries.put(name, scalar(entry, layer, values, placeholder));
        });
        return Setting.named(
                entries, value.place(), layer, entries.values().stream().allMatch(Setting::valid));
    }

    private void checkName(Type<?> names, String name, Value entry, int layer) {
        try {
            names.parse(name);
        } catch (Type.Mismatch e) {
            if (layer == 0) {
                problems.error(entry.place(), e.rule(), Found.text(name) + " (expected: " + e.expected() + ")");
            }
        }
    }

    private static <T> Setting<T> byDefault(Type<T> type, String text) {
        try {
            return Setting.byDefault(type.parse(text));
        } catch (Type.Mismatch e) {
            throw new IllegalStateException("a default that is not valid: " + text, e);
        }
    }

    /** The nearest layer that has the key, or whose wrong shape hides whether it would; negative: none. */
    private int sayer(String key) {
        for (int layer = 0; layer < layers.size(); layer++) {
            Layer candidate = layers.get(layer);
            if (candidate.part() != null && !candidate.isMapping() || candidate.get(key) != null) {
                return layer;
            }
        }
        return -1;
    }

    private void enter(String key, Ledger.Entry entry) {
        ledger.add(place.path().key(key), entry);
    }

    private <T> Setting<T> scalar(Value value, int layer, Type<T> type, T otherwise) {
        if (!(value instanceof Value.Scalar scalar)) {
            return Setting.invalid(otherwise);
        }
        try {
            return Setting.named(type.parse(scalar.text()), scalar.place(), layer, true);
        } catch (Type.Mismatch e) {
            // Whoever said it is read by itself too, and has been told.
            if (layer == 0) {
                problems.error(scalar.place(), e.rule(), scalar.kind() + " (expected: " + e.expected() + ")");
            }
            return Setting.invalid(otherwise);
        }
    }
}
