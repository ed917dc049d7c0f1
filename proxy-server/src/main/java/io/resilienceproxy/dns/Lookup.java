package io.resilienceproxy.dns;

import java.util.function.Consumer;

/** Asks for the addresses of one name in one family. On one event loop. */
interface Lookup {

    /**
     * Asks. Not called again before the answer.
     *
     * @param told the answer, once, on the loop, in bounded time; possibly before this returns
     */
    void start(Consumer<Found> told);

    /** Gives back what it holds; not while a question is under way. */
    void close();
}
