/**
 * Connections to upstreams: per event loop, limited per upstream; connecting, name resolution, reuse. The handshake of an https
 * upstream belongs to connecting, and is {@code tls}'s.
 *
 * <p>Knows sockets and the framing of the request it is given to send. Never knows routes, attempts, retries or breakers:
 * whoever leases a connection judges what became of it.
 */
@NullMarked
package io.resilienceproxy.pool;

import org.jspecify.annotations.NullMarked;
