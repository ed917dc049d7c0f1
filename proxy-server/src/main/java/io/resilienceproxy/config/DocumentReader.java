package io.resilienceproxy.config;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.parser.Parser;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;

/**
 * YAML text to a tree that knows its places, in the subset of YAML that the package describes.
 *
 * <p>Reads SnakeYAML's events, not its nodes or objects: nothing is resolved (so that {@code 010}, {@code yes} and
 * {@code 12:30} stay text), and a hostile file is given up at its 20,001st value or 21st level, before a tree of it
 * exists. For one file; not thread-safe.
 */
final class DocumentReader {

    static final int MAX_DEPTH = 20;
    static final int MAX_VALUES = 20_000;
    static final int MAX_ITEMS = 100;
    static final int MAX_ENTRIES = 500;
    static final int MAX_KEY_LENGTH = 64;

    private final Problems problems;
    private final Substitution substitution;
    private final Parser events;
    private int values;

    DocumentReader(String text, Substitution substitution, Problems problems) {
        this.problems = problems;
        this.substitution = substitution;
        // Not by the Yaml class, which also makes all that turns events into objects.
        this.events = new ParserImpl(new StreamReader(new StringReader(text)), new LoaderOptions());
    }

    /** Null: reported, and nothing is known about the rest of the file. */
    @Nullable
    Value read() {
        try {
            return document();
        } catch (Abandoned e) {
            return null;
        } catch (MarkedYAMLException e) {
            Mark mark = e.getProblemMark() == null ? e.getContextMark() : e.getProblemMark();
            Place place = mark == null ? Place.START : Place.of(mark, KeyPath.ROOT);
            problems.error(place, "not valid YAML: " + reason(e.getProblem(), e.getContext()));
            return null;
        } catch (YAMLException e) {
            problems.error(Place.START, "not valid YAML: " + reason(e.getMessage(), null));
            return null;
        }
    }

    private static String reason(@Nullable String problem, @Nullable String context) {
        String what = problem == null ? "it cannot be read" : Found.plain(problem);
        return context == null || context.isBlank() ? what : what + " (" + Found.plain(context) + ")";
    }

    /** Stream start, document start, the root, document end, stream end; SnakeYAML sees to the order. */
    private @Nullable Value document() {
        events.getEvent();
        Event start = events.getEvent();
        if (start.is(Event.ID.StreamEnd)) {
            problems.error(Place.START, "the file is empty (expected: a policy, with upstreams)");
            return null;
        }
        Value root = value(events.getEvent(), Place.START, 1);
        events.getEvent();
        Event end = events.getEvent();
        if (!end.is(Event.ID.StreamEnd)) {
            problems.error(Place.of(end.getStartMark(), KeyPath.ROOT), "a second document (expected: one only)");
        }
        return root;
    }

    private Value value(Event event, Place place, int depth) {
        if (++values > MAX_VALUES) {
            throw abandon(place, "more than " + MAX_VALUES + " values (expected: fewer)");
        }
        if (event instanceof AliasEvent) {
            problems.error(place, "an alias (expected: the value itself; aliases are not supported)");
            return new Value.Faulty(place);
        }
        if (event instanceof NodeEvent node && node.getAnchor() != null) {
            problems.error(place, "an anchor (expected: none; anchors and aliases are not supported)");
        }
        if (event instanceof ScalarEvent scalar) {
            return scalar(scalar, place);
        }
        CollectionStartEvent collection = (CollectionStartEvent) event;
        checkTag(collection.getTag(), place);
        if (depth > MAX_DEPTH) {
            throw abandon(place, "more than " + MAX_DEPTH + " levels (expected: fewer)");
        }
        return event instanceof MappingStartEvent ? mapping(place, depth) : sequence(place, depth);
    }

    private Value scalar(ScalarEvent scalar, Place place) {
        checkTag(scalar.getTag(), place);
        String written = scalar.getValue();
        if (scalar.isPlain() && isNull(written)) {
            problems.error(place, "no value (expected: a value; leave the key out to have its default)");
            return new Value.Faulty(place);
        }
        Substitution.Result result = substitution.apply(written, place);
        return result == null
                ? new Value.Faulty(place)
                : new Value.Scalar(place, result.text(), written, result.references());
    }

    private static boolean isNull(String plain) {
        return plain.isEmpty() || plain.equals("~") || plain.equalsIgnoreCase("null");
    }

    private void checkTag(@Nullable String tag, Place place) {
        if (tag != null) {
            problems.error(place, "the tag " + Found.text(tag) + " (expected: none; tags are not supported)");
        }
    }

    private Value sequence(Place place, int depth) {
        List<Value> items = new ArrayList<>();
        for (Event event = events.getEvent(); !event.is(Event.ID.SequenceEnd); event = events.getEvent()) {
            KeyPath path = place.path().item(items.size());
            items.add(value(event, Place.of(event.getStartMark(), path), depth + 1));
        }
        return items.size() > MAX_ITEMS
                ? tooMany(place, items.size(), MAX_ITEMS, "items")
                : new Value.Sequence(place, List.copyOf(items));
    }

    private Value mapping(Place place, int depth) {
        Map<String, Value> entries = new LinkedHashMap<>();
        for (Event event = events.getEvent(); !event.is(Event.ID.MappingEnd); event = events.getEvent()) {
            String key = key(event, place, depth);
            String shown = key == null ? "?" : Found.plain(key);
            Place here = Place.of(event.getStartMark(), place.path().key(shown));
            Value value = value(events.getEvent(), here, depth + 1);
            if (key == null) {
                continue;
            }
            Value first = entries.putIfAbsent(key, value);
            if (first != null) {
                int line = first.place().line();
                problems.error(here, "a duplicate key (expected: once; the first is at line " + line + ")");
            }
        }
        return entries.size() > MAX_ENTRIES
                ? tooMany(place, entries.size(), MAX_ENTRIES, "keys")
                : new Value.Mapping(place, entries);
    }

    /** What inherits a long list would read it once for each heir. */
    private Value tooMany(Place place, int found, int most, String what) {
        problems.error(place, found + " " + what + " (expected: at most " + most + ")");
        return new Value.Faulty(place);
    }

    /** Null: reported, and its value is to be skipped. */
    private @Nullable String key(Event event, Place parent, int depth) {
        Place here = Place.of(event.getStartMark(), parent.path());
        if (!(event instanceof ScalarEvent scalar)) {
            value(event, here, depth + 1);
            problems.error(here, "a key that is not a word (expected: a plain key)");
            return null;
        }
        String key = scalar.getValue();
        if (scalar.isPlain() && key.equals("<<")) {
            problems.error(here, "a merge key (expected: none; \"defaults\" is the way to share settings)");
            return null;
        }
        if (key.isEmpty() || key.length() > MAX_KEY_LENGTH) {
            problems.error(here, "the key " + Found.text(key) + " (expected: 1 to " + MAX_KEY_LENGTH + " characters)");
            return null;
        }
        if (scalar.getAnchor() != null || scalar.getTag() != null) {
            problems.error(here, "an anchor or tag on the key " + Found.text(key) + " (expected: none)");
        }
        return key;
    }

    private Abandoned abandon(Place place, String message) {
        problems.error(place, message);
        return new Abandoned();
    }

    /** The rest of the file is not worth reading. */
    private static final class Abandoned extends RuntimeException {
        Abandoned() {
            super(null, null, false, false);
        }
    }
}
