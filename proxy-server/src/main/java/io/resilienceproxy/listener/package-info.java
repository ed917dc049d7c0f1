/**
 * The callers' side: accepting, limits, pipelining, writing responses.
 *
 * <p>Knows sockets and the wire of HTTP/1. Never knows pools, policies, or what happens to a request after it was handed to
 * the dispatcher.
 */
@NullMarked
package io.resilienceproxy.listener;

import org.jspecify.annotations.NullMarked;
