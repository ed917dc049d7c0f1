package io.resilienceproxy.config;

import java.util.List;

/** How the values of a type are written, for those who show or describe them without parsing: explanation and schema. */
sealed interface Form {

    /**
     * A decimal number.
     *
     * @param whole without a fraction
     * @param above whether {@code least} itself is too little
     */
    record Number(boolean whole, double least, boolean above, double most) implements Form {}

    /** One of some words. */
    record Choice(List<String> words) implements Form {}

    /**
     * Text of a fixed pattern, too narrow to hold anything that its reader should not see.
     *
     * @param pattern of the whole text, in the syntax that Java and ECMAScript share; necessary, not always sufficient
     */
    record Fixed(String pattern) implements Form {}

    /** Text that its writer is free to choose within a pattern. */
    record Free(String pattern) implements Form {}
}
