/**
 * Promises of the whole proxy, over real sockets: one class per topic.
 *
 * <p>Knows the test kit. Never knows how the proxy is built inside, beyond its live protections and pools.
 */
@NullMarked
package io.resilienceproxy.e2e;

import org.jspecify.annotations.NullMarked;
