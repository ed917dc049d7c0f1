/**
 * Certificates and private keys in PEM files, read with nothing but the JDK. A leaf.
 *
 * <p>Knows RFC 7468 and the three forms in which tools write private keys. Never knows Netty, sockets, policies, or what
 * the certificates are for.
 */
@NullMarked
package io.resilienceproxy.pem;

import org.jspecify.annotations.NullMarked;
