/**
 * The load generator: HTTP/1.1 over loopback, closed or open loop.
 *
 * <p>Knows sockets, a request's bytes and the clock. Never knows what it measures: proxies are described by run.py, which gives it its jobs.
 */
@NullMarked
package io.resilienceproxy.load;

import org.jspecify.annotations.NullMarked;
