package io.resilienceproxy.config;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the text of a scalar must be. */
interface Type<T> {

    T parse(String text) throws Mismatch;

    /** As a file would say it, so that it parses to the same value. */
    String show(T value);

    Form form();

    /** What may be shown of a text that the environment had a part in: what is free to choose may be a secret. */
    default String masked(String text) {
        return form() instanceof Form.Free ? "***" : text;
    }

    /** A type that shows its values by {@code toString}. */
    static <T> Type<T> of(Form form, Parser<T> parser) {
        return of(form, parser, Object::toString);
    }

    static <T> Type<T> of(Form form, Parser<T> parser, Function<? super T, String> show) {
        return new Described<>(form, parser, show);
    }

    /** Text to a value. */
    @FunctionalInterface
    interface Parser<T> {
        T parse(String text) throws Mismatch;
    }

    /** A type put together from its parts. */
    record Described<T>(Form form, Parser<T> parser, Function<? super T, String> show) implements Type<T> {
        @Override
        public T parse(String text) throws Mismatch {
            return parser.parse(text);
        }

        @Override
        public String show(T value) {
            return show.apply(value);
        }
    }

    /** Stackless: what was expected instead, and the rule that says so. */
    final class Mismatch extends Exception {

        private final String expected;
        private final @Nullable Rule rule;

        Mismatch(String expected) {
            this(expected, null);
        }

        Mismatch(String expected, @Nullable Rule rule) {
            super(expected, null, false, false);
            this.expected = expected;
            this.rule = rule;
        }

        String expected() {
            return expected;
        }

        @Nullable
        Rule rule() {
            return rule;
        }
    }
}
