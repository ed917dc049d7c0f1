/**
 * The gates an attempt passes and the judgements about it: breaker, bulkhead and its queue, retry budget, retry
 * decision.
 *
 * <p>The only package that knows Resilience4j. Never knows sockets, threads, schedulers or header fields. Everything here
 * may be called from several event loops at once and never blocks: no locks, no waiting; who must wait is called back.
 */
@NullMarked
package io.resilienceproxy.resilience;

import org.jspecify.annotations.NullMarked;
