/**
 * What operators decided: validated, immutable records with their defaults. A leaf.
 *
 * <p>Knows the policy format (config/example.yaml shows every key) and the ranges of its values. Never knows how a file
 * is written or read, sockets, threads or live state.
 */
@NullMarked
package io.resilienceproxy.policy;

import org.jspecify.annotations.NullMarked;
