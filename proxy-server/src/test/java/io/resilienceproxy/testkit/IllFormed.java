package io.resilienceproxy.testkit;

/** Bytes that no HTTP/1.1 sender may send: the fault of whoever wrote them. */
public final class IllFormed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public IllFormed(String message) {
        super(message);
    }
}
