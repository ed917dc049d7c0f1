package io.resilienceproxy.outcome;

/** What the circuit breaker counts an attempt as. */
public enum Verdict {
    SUCCESS,
    FAILURE,
    /** Says nothing about the upstream: the permit goes back uncounted. */
    IGNORED
}
