/**
 * One request and its one response: the state machine, its attempts, the replay body, the proxy's own answers.
 *
 * <p>Speaks of heads, body pieces and ends; knows core's gates and the pool's leases. Never knows YAML, Micrometer,
 * resilience4j, framing or how a connection is reused.
 */
@NullMarked
package io.resilienceproxy.exchange;

import org.jspecify.annotations.NullMarked;
