package io.resilienceproxy.testkit;

/** What the reading side of a connection has seen of its end. */
public enum ConnectionEnd {
    /** Nothing yet. */
    OPEN,
    /** The peer finished its output in order. */
    FIN,
    /** The peer reset the connection. */
    RST,
    /** The fixture closed it. */
    CLOSED_HERE
}
