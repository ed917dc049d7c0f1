/**
 * Names of upstream hosts: their addresses, in the order to try them, kept fresh while somebody uses them.
 *
 * <p>Knows the resolver's wire and files and how files change, event loops and the clock. Never knows pools, connections or policies: what an
 * address is good for, whoever connects to it finds out.
 */
@NullMarked
package io.resilienceproxy.dns;

import org.jspecify.annotations.NullMarked;
