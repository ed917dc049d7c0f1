/**
 * Whether upstreams are well: probes that are made when somebody asks, one at a time and not often, and the pages that tell
 * their outcome beside the state of what protects the upstream (rules HC-1 to HC-4).
 *
 * <p>Knows core and the pool's leases. Never knows exchanges, metrics, the admin listener, or how a connection is opened.
 * A probe asks no breaker, no bulkhead and no budget, and tells them nothing.
 */
@NullMarked
package io.resilienceproxy.health;

import org.jspecify.annotations.NullMarked;
