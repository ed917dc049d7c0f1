/**
 * HTTP/1.1 messages for both directions: how long a body is (RFC 9112 section 6, decided here and nowhere else), which
 * fields end at this hop, what is refused, how a head is written. A leaf.
 *
 * <p>Beside the packages of the design because the listener and the pool face the same wire: framing that is decided in
 * two places will one day be decided differently. Knows Netty's HTTP codec. Never knows routes, pools or policies.
 */
@NullMarked
package io.resilienceproxy.http;

import org.jspecify.annotations.NullMarked;
