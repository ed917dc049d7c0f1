package io.resilienceproxy.config;

import io.resilienceproxy.policy.Policy;
import io.resilienceproxy.policy.UpstreamPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Lines of an explanation: walks the format, and asks the ledger for each value. For one text; not thread-safe. */
final class ExplanationWriter {

    private static final int COMMENT_COLUMN = 56;
    private static final String INDENT = "  ";
    private static final String ROUTES = "routes";

    /** What YAML takes for text or a number as it stands, also within a list. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/][A-Za-z0-9_./-]*(:[A-Za-z0-9_./-]+)*");

    private static final KeyPath UPSTREAMS = KeyPath.ROOT.key("upstreams");
    private static final Shape.Fields UPSTREAM = Format.upstream();

    private final Ledger ledger;
    private final List<String> lines = new ArrayList<>();

    ExplanationWriter(Ledger ledger) {
        this.ledger = ledger;
    }

    String policy(String file, Policy policy) {
        lines.add("# The policy in effect, from " + Found.plain(file) + ", and where each value comes from.");
        Format.POLICY.known().forEach((key, shape) -> {
            if (shape instanceof Shape.Named) {
                lines.add(key + ":");
                policy.upstreams().forEach(upstream -> upstream(upstream, UPSTREAM));
            } else if (!key.equals("defaults")) {
                part(key, shape, KeyPath.ROOT, "");
            }
        });
        return text();
    }

    String upstream(UpstreamPolicy upstream) {
        lines.add("upstreams:");
        upstream(upstream, UPSTREAM);
        return text();
    }

    String defaultRoute(UpstreamPolicy upstream) {
        lines.add("upstreams:");
        fields(UPSTREAM, UPSTREAMS.key(upstream.name()), header(upstream));
        return text();
    }

    String route(UpstreamPolicy upstream, int index) {
        lines.add("upstreams:");
        String indent = header(upstream);
        lines.add(indent + ROUTES + ":");
        route(UPSTREAMS.key(upstream.name()).key(ROUTES).item(index), indent + INDENT);
        return text();
    }

    private String header(UpstreamPolicy upstream) {
        lines.add(INDENT + scalar(upstream.name()) + ":");
        return INDENT + INDENT;
    }

    private void upstream(UpstreamPolicy upstream, Shape.Fields fields) {
        String indent = header(upstream);
        KeyPath path = UPSTREAMS.key(upstream.name());
        fields(fields, path, indent);
        if (!upstream.routes().isEmpty()) {
            lines.add(indent + ROUTES + ":");
        }
        for (int i = 0; i < upstream.routes().size(); i++) {
            route(path.key(ROUTES).item(i), indent + INDENT);
        }
    }

    private void route(KeyPath path, String indent) {
        int first = lines.size();
        fields(Format.route(), path, indent + INDENT);
        lines.set(first, indent + "- " + lines.get(first).substring(indent.length() + INDENT.length()));
    }

    private void fields(Shape.Fields fields, KeyPath path, String indent) {
        for (Map.Entry<String, Shape> field : fields.known().entrySet()) {
            part(field.getKey(), field.getValue(), path, indent);
        }
    }

    private void part(String key, Shape shape, KeyPath parent, String indent) {
        KeyPath path = parent.key(key);
        if (ledger.isShared(path)) {
            lines.add(indent + "# " + key + ": shared with its upstream");
        } else if (shape instanceof Shape.Fields fields) {
            int header = lines.size();
            lines.add(indent + key + ":");
            fields(fields, path, indent + INDENT);
            if (lines.size() == header + 1) {
                lines.remove(header);
            }
        } else if (shape instanceof Shape.Named) {
            map(key, path, indent);
        } else {
            value(key, path, indent);
        }
    }

    private void map(String key, KeyPath path, String indent) {
        Ledger.Entry entry = ledger.get(path);
        List<String> names = entry == null ? null : entry.texts();
        if (names == null) {
            return;
        }
        String entries = names.stream()
                .map(name -> scalar(name) + ": " + mapped(path.key(name)))
                .collect(Collectors.joining(", "));
        line(indent + key + ": {" + entries + "}", entry.origin());
    }

    private String mapped(KeyPath path) {
        Ledger.Entry entry = Objects.requireNonNull(ledger.get(path));
        return scalar(Objects.requireNonNull(entry.texts()).get(0));
    }

    private void value(String key, KeyPath path, String indent) {
        Ledger.Entry entry = ledger.get(path);
        List<String> texts = entry == null ? null : entry.texts();
        if (texts == null) {
            return;
        }
        List<String> written = texts.stream().map(ExplanationWriter::scalar).toList();
        String value = entry.list() ? "[" + String.join(", ", written) + "]" : written.get(0);
        line(indent + key + ": " + value, entry.origin());
    }

    private void line(String text, String origin) {
        StringBuilder line = new StringBuilder(text);
        do {
            line.append(' ');
        } while (line.length() < COMMENT_COLUMN);
        lines.add(line.append("# ").append(origin).toString());
    }

    /** In quotes where YAML or the substitution could take it for something else. */
    private static String scalar(String text) {
        if (PLAIN.matcher(text).matches() && !text.equalsIgnoreCase("null")) {
            return text;
        }
        StringBuilder quoted = new StringBuilder("\"");
        text.replace("${", "$${").chars().forEach(c -> append(quoted, (char) c));
        return quoted.append('"').toString();
    }

    /** Line breaks and what nobody sees as escapes: one setting is one line. */
    private static void append(StringBuilder quoted, char c) {
        if (c == '\\' || c == '"') {
            quoted.append('\\').append(c);
        } else if (c < ' ' || c >= 0x7f && c <= 0xa0 || c == 0x2028 || c == 0x2029 || c == 0xfeff) {
            quoted.append(String.format("\\u%04x", (int) c));
        } else {
            quoted.append(c);
        }
    }

    private String text() {
        return String.join("\n", lines) + "\n";
    }
}
