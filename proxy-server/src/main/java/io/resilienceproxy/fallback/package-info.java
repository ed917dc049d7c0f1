/**
 * The last good answers of upstreams, in memory only: which may be kept, for which request one may be given again, and how
 * much memory they take (RFC 9111, RFC 5861).
 *
 * <p>Knows HTTP messages and Caffeine. Never knows routes, attempts, breakers, or why an answer is needed.
 */
@NullMarked
package io.resilienceproxy.fallback;

import org.jspecify.annotations.NullMarked;
