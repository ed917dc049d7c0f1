package io.resilienceproxy.listener;

/**
 * What is asked of every inbound connection.
 *
 * @param maxConnections over all listeners
 * @param maxHeadBytes request line and fields
 * @param headerNanos from the first byte of a head to its last
 * @param idleNanos a connection without a request; also a caller that takes no byte of its answer
 */
public record InboundLimits(int maxConnections, int maxHeadBytes, long headerNanos, long idleNanos) {}
