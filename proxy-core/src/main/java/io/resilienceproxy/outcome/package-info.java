/**
 * What happened, as values: the outcome of an attempt, why a request was refused, what the breaker counts. A leaf.
 *
 * <p>Never knows HTTP messages, sockets, policies or metrics. Expected failures are values here, not exceptions, and
 * constant ones are shared.
 */
@NullMarked
package io.resilienceproxy.outcome;

import org.jspecify.annotations.NullMarked;
