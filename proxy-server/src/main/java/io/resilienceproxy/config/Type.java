package io.resilienceproxy.config;

import org.jspecify.annotations.Nullable;

/** What the text of a scalar must be. */
@FunctionalInterface
interface Type<T> {

    T parse(String text) throws Mismatch;

    /** Stackless: what was expected instead, and the rule that says so. */
    final class Mismatch extends Exception {

        private final String expected;
        private final @Nullable String code;

        Mismatch(String expected) {
            this(expected, null);
        }

        Mismatch(String expected, @Nullable String code) {
            super(expected, null, false, false);
            this.expected = expected;
            this.code = code;
        }

        String expected() {
            return expected;
        }

        @Nullable
        String code() {
            return code;
        }
    }
}
