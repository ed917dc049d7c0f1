package io.resilienceproxy.config;

import io.resilienceproxy.policy.RoutePolicy;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Names, tokens and choices. */
final class Words {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}");
    private static final Pattern FIELD_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}");
    private static final Pattern METHOD = Pattern.compile("[A-Z][A-Z_-]{0,31}");
    private static final Pattern PATH = Pattern.compile("(/([!$&'()*+,;=:@A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})+)+");
    private static final Pattern DOT_SEGMENT = Pattern.compile("/(\\.|%2[Ee]){1,2}(/|$)");

    private static final Pattern VISIBLE = Pattern.compile("([!-~]([\\t -~]*[!-~])?)?");
    private static final Pattern TARGET_FORM =
            Pattern.compile("/([!$&'()*+,;=:@A-Za-z0-9._~/-]|%[0-9A-Fa-f]{2})*(\\?[!$&'()*+,;=:@A-Za-z0-9._~/?%-]*)?");
    private static final int LONGEST_TARGET = 1024;

    /** Fields by which the proxy says what an answer is. */
    private static final Set<String> MARKS =
            Set.of("age", "cache-status", "date", "proxy-status", "set-cookie", "x-degraded");

    /** Fields that framing, connection handling or routing rewrites. */
    private static final Set<String> RESERVED_FIELDS = Set.of(
            "connection",
            "content-length",
            "expect",
            "host",
            "keep-alive",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "via");

    /** Of an upstream: a path segment, a metric tag and an instance name at once. */
    static final Type<String> UPSTREAM_NAME = free(NAME, Words::name);

    static final Type<String> ROUTE_NAME = free(NAME, Words::routeName);

    /** A field name (RFC 9110 section 5.1) that may carry information from end to end. */
    static final Type<String> FIELD = free(FIELD_NAME, Words::fieldName);

    /** Of a fixed answer: neither framing, nor one of the fields that mark the answer. */
    static final Type<String> ANSWER_FIELD = free(FIELD_NAME, Words::answerField);

    /** The value of a field: visible ASCII, spaces within (RFC 9110 section 5.5). */
    static final Type<String> FIELD_VALUE = free(VISIBLE, Words::fieldValue);

    /** Any text at all. */
    static final Type<String> TEXT = Type.of(new Form.Free("[\\s\\S]*"), text -> text);

    /** What a request asks for: a path and perhaps a query; or none, which is the empty text. */
    static final Type<String> TARGET_OR_NONE = Type.of(
            new Form.Free("none|" + TARGET_FORM.pattern()), Words::target, text -> text.isEmpty() ? "none" : text);

    static final Type<String> ANY_METHOD = free(METHOD, Words::method);

    /** Of a retry: never one that creates something each time it is sent. */
    static final Type<String> REPLAYED_METHOD = free(METHOD, Words::replayedMethod);

    /** Whole segments: starts with a slash, does not end with one, no query, no dot segments. */
    static final Type<String> WHOLE_PATH = free(PATH, Words::path);

    static final Type<Boolean> BOOLEAN = Type.of(new Form.Choice(List.of("true", "false")), Words::bool);

    private Words() {}

    private static Type<String> free(Pattern pattern, Type.Parser<String> parser) {
        return Type.of(new Form.Free(pattern.pattern()), parser);
    }

    private static String name(String text) throws Type.Mismatch {
        if (!NAME.matcher(text).matches()) {
            throw new Type.Mismatch(
                    "a name of up to 64 letters, digits, \"-\" and \"_\" that starts with a letter or digit");
        }
        return text;
    }

    private static String routeName(String text) throws Type.Mismatch {
        if (text.equals(RoutePolicy.DEFAULT_NAME)) {
            throw new Type.Mismatch("another name; requests that match no route are route \"default\"");
        }
        return name(text);
    }

    private static String fieldName(String text) throws Type.Mismatch {
        if (!FIELD_NAME.matcher(text).matches()) {
            throw new Type.Mismatch("a header field name, such as Idempotency-Key");
        }
        if (RESERVED_FIELDS.contains(text.toLowerCase(Locale.ROOT))) {
            throw new Type.Mismatch("a header field that neither framing nor routing uses");
        }
        return text;
    }

    private static String answerField(String text) throws Type.Mismatch {
        if (MARKS.contains(text.toLowerCase(Locale.ROOT))) {
            throw new Type.Mismatch("a header field that does not say what the answer is; the proxy does");
        }
        return fieldName(text);
    }

    private static String fieldValue(String text) throws Type.Mismatch {
        if (!VISIBLE.matcher(text).matches()) {
            throw new Type.Mismatch("visible ASCII characters, with spaces only between them and no line breaks");
        }
        return text;
    }

    private static String target(String text) throws Type.Mismatch {
        if (text.equals("none")) {
            return "";
        }
        if (text.length() > LONGEST_TARGET || !TARGET_FORM.matcher(text).matches()) {
            throw new Type.Mismatch("a path such as /health, that starts with \"/\"; a query may follow; or none");
        }
        return text;
    }

    private static String method(String text) throws Type.Mismatch {
        if (!METHOD.matcher(text).matches()) {
            throw new Type.Mismatch("a method in capital letters, such as GET");
        }
        return text;
    }

    private static String replayedMethod(String text) throws Type.Mismatch {
        if (text.equals("POST") || text.equals("PATCH")) {
            throw new Type.Mismatch(
                    "a method that may be repeated; writes are retried by their idempotency-header", Rule.RE_X1);
        }
        return method(text);
    }

    static String path(String text) throws Type.Mismatch {
        if (text.length() > 1024
                || !PATH.matcher(text).matches()
                || DOT_SEGMENT.matcher(text).find()) {
            throw new Type.Mismatch("a path such as /reports, that starts with \"/\" and does not end with one");
        }
        return text;
    }

    private static Boolean bool(String text) throws Type.Mismatch {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new Type.Mismatch("true or false");
        };
    }

    /** How most choices are spelled. */
    static String lowerCase(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT);
    }

    /** One of an enum's constants, as {@code spelling} has it. */
    static <E extends Enum<E>> Type<E> oneOf(Class<E> choices, Function<E, String> spelling) {
        E[] all = choices.getEnumConstants();
        List<String> words = Arrays.stream(all).map(spelling).toList();
        String expected = "one of " + String.join(", ", words);
        Type.Parser<E> parser = text -> Arrays.stream(all)
                .filter(choice -> spelling.apply(choice).equals(text))
                .findFirst()
                .orElseThrow(() -> new Type.Mismatch(expected));
        return Type.of(new Form.Choice(words), parser, spelling);
    }
}
