package io.resilienceproxy.pem;

import java.nio.file.Path;

/** A file does not hold what it should. Stackless: the message says all there is to say, on one line. */
public final class UnusablePem extends Exception {

    private final String expected;

    /** @param expected what it should hold, and what is wrong, without the file's name */
    UnusablePem(Path file, String expected) {
        super(file + " (expected: " + expected + ")", null, false, false);
        this.expected = expected;
    }

    /** For a message that names the file itself. */
    public String expected() {
        return expected;
    }
}
