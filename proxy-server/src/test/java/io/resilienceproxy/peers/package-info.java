/** Other people's clients and servers around the proxy: what they understand of HTTP is what counts. */
@NullMarked
package io.resilienceproxy.peers;

import org.jspecify.annotations.NullMarked;
