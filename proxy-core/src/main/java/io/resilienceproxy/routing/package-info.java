/**
 * The immutable route table: which request belongs to which route, and what protects it.
 *
 * <p>Built whole from a policy; put into use by swapping one reference. Never knows I/O, or how a policy is written.
 */
@NullMarked
package io.resilienceproxy.routing;

import org.jspecify.annotations.NullMarked;
