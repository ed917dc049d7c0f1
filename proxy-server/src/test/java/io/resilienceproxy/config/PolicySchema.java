package io.resilienceproxy.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * JSON Schema 2020-12 of the policy file. Keys and nesting come from {@link Format}, types and defaults from what the
 * readers asked for while they read a small policy, meanings from docs/policy.md.
 */
final class PolicySchema {

    /** Reads every key once; the route has all protections for itself, so that theirs are read too. */
    private static final String SAMPLE = "upstreams: {up: {url: https://up, routes: [{name: r, path: /r}]}}";

    private static final KeyPath UPSTREAM = KeyPath.ROOT.key("upstreams").key("up");
    private static final KeyPath ROUTE = UPSTREAM.key("routes").item(0);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Ledger ledger = new Ledger();
    private final KeyTable table = KeyTable.read();
    private final Shape.Fields shared =
            (Shape.Fields) Objects.requireNonNull(Format.POLICY.known().get("defaults"));

    private PolicySchema() {
        Problems problems = new Problems("sample");
        Value root = new DocumentReader(SAMPLE, new Substitution(name -> null, problems), problems).read();
        new PolicyReader(Objects.requireNonNull(root), problems, ledger, true).read();
        if (problems.hasErrors()) {
            throw new AssertionError(problems.list());
        }
    }

    /** As the file has it. */
    static String text() {
        return pretty(new PolicySchema().policy());
    }

    /** With a line for each property, arrays on one line. */
    static String pretty(JsonNode schema) {
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter(
                Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.AFTER));
        DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
        printer.indentObjectsWith(indenter);
        try {
            return JSON.writer(printer).writeValueAsString(schema) + "\n";
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private ObjectNode policy() {
        ObjectNode schema = JSON.createObjectNode()
                .put("$schema", "https://json-schema.org/draft/2020-12/schema")
                .put("title", "Policy of a resilience proxy");
        ObjectNode properties = object(schema);
        Format.POLICY.known().forEach((key, shape) -> {
            ObjectNode property = properties.putObject(key);
            switch (key) {
                case "defaults" -> references(describe(property, key), shared);
                case "upstreams" -> upstreams(describe(property, key));
                default -> part(property, shape, KeyPath.ROOT.key(key), key);
            }
        });
        schema.putArray("required").add("upstreams");
        definitions(schema.putObject("$defs"));
        return schema;
    }

    private void definitions(ObjectNode definitions) {
        definitions
                .putObject("environment")
                .put("description", "${NAME} or ${NAME:fallback} is taken from the environment.")
                .put("type", "string")
                .put("pattern", "\\$\\{");
        shared.known().forEach((key, shape) -> part(definitions.putObject(key), shape, UPSTREAM.key(key), key));
    }

    private void upstreams(ObjectNode schema) {
        schema.put("type", "object").put("minProperties", 1).put("maxProperties", DocumentReader.MAX_ENTRIES);
        Form.Free name = (Form.Free) Words.UPSTREAM_NAME.form();
        schema.putObject("propertyNames").put("pattern", "^(" + name.pattern() + ")$");
        ObjectNode upstream = schema.putObject("additionalProperties");
        ObjectNode properties = object(upstream);
        own(properties, Format.upstream(), UPSTREAM, "");
        ArrayNode either = upstream.putArray("oneOf");
        either.addObject().putArray("required").add("url");
        either.addObject().putArray("required").add("urls");
    }

    private void routes(ObjectNode schema) {
        schema.put("type", "array").put("maxItems", DocumentReader.MAX_ITEMS);
        ObjectNode route = schema.putObject("items");
        own(object(route), Format.route(), ROUTE, "routes[].");
        route.putArray("required").add("name");
    }

    /** Keys of its own are described in place, the others by reference. */
    private void own(ObjectNode properties, Shape.Fields fields, KeyPath path, String prefix) {
        fields.known().forEach((key, shape) -> {
            ObjectNode property = properties.putObject(key);
            if (shared.known().containsKey(key)) {
                property.put("$ref", "#/$defs/" + key);
            } else if (key.equals("routes")) {
                routes(describe(property, key));
            } else {
                part(property, shape, path.key(key), prefix + key);
            }
        });
    }

    private static void references(ObjectNode schema, Shape.Fields fields) {
        ObjectNode properties = object(schema);
        fields.known().keySet().forEach(key -> properties.putObject(key).put("$ref", "#/$defs/" + key));
    }

    private void part(ObjectNode schema, Shape shape, KeyPath path, String key) {
        if (shape instanceof Shape.Fields fields) {
            ObjectNode properties = object(schema);
            for (Map.Entry<String, Shape> field : fields.known().entrySet()) {
                String name = field.getKey();
                part(properties.putObject(name), field.getValue(), path.key(name), key + "." + name);
            }
            return;
        }
        Ledger.Entry entry = Objects.requireNonNull(ledger.get(path), key);
        if (shape instanceof Shape.Named) {
            Form.Free name = (Form.Free) Words.ANSWER_FIELD.form();
            describe(schema, key).put("type", "object").put("maxProperties", DocumentReader.MAX_ENTRIES);
            schema.putObject("propertyNames").put("pattern", "^(" + name.pattern() + ")$");
            FormSchema.describe(
                    schema.putObject("additionalProperties"), entry.type().form());
            return;
        }
        setting(describe(schema, key), entry, key);
    }

    private void setting(ObjectNode schema, Ledger.Entry entry, String key) {
        Form form = entry.type().form();
        if (entry.list()) {
            schema.put("type", "array").put("maxItems", DocumentReader.MAX_ITEMS);
            FormSchema.describe(schema.putObject("items"), form);
        } else {
            FormSchema.describe(schema, form);
        }
        @Nullable List<String> texts = entry.texts();
        if (texts == null || table.isRequired(key)) {
            return;
        }
        if (!entry.origin().equals("default")) {
            schema.put("description", table.meaning(key) + ". Default " + entry.origin());
        } else if (entry.list()) {
            ArrayNode items = schema.putArray("default");
            texts.forEach(text -> items.add(typed(text)));
        } else {
            schema.set("default", typed(texts.get(0)));
        }
    }

    /** As an editor would write it into YAML. */
    private static JsonNode typed(String text) {
        try {
            JsonNode value = JSON.readTree(text);
            return value.isNumber() || value.isBoolean()
                    ? value
                    : JSON.getNodeFactory().textNode(text);
        } catch (IOException e) {
            return JSON.getNodeFactory().textNode(text);
        }
    }

    private ObjectNode describe(ObjectNode schema, String key) {
        return schema.put("description", table.meaning(key));
    }

    private static ObjectNode object(ObjectNode schema) {
        schema.put("type", "object").put("additionalProperties", false);
        return schema.putObject("properties");
    }
}
