/**
 * TLS towards upstreams: contexts from certificate files, the handshake on a connection that has just been opened, and
 * what its failures mean.
 *
 * <p>Knows Netty's TLS, policies and PEM files. Never knows HTTP, pools, exchanges, or why a connection is opened. Loaded
 * only where a policy has an https upstream, because it takes a good part of a start to load.
 */
@NullMarked
package io.resilienceproxy.tls;

import org.jspecify.annotations.NullMarked;
