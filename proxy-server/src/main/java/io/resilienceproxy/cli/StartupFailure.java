package io.resilienceproxy.cli;

/**
 * The proxy cannot start, for a reason that its operator can act on: a port that is taken, a file that is not there.
 * Printed without a stack trace; the exit code is 1.
 */
public final class StartupFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param message what could not be done, and the value that stood in the way; one line, but for a list of problems */
    public StartupFailure(String message) {
        super(message);
    }

    public StartupFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
