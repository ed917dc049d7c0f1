/**
 * JMH benchmarks of what a request passes, piece by piece and as a whole. Run with {@code -prof gc} for bytes per operation.
 *
 * <p>Knows the proxy's classes, some through one bridge class in their own package. Never knows sockets.
 */
@NullMarked
package io.resilienceproxy.bench;

import org.jspecify.annotations.NullMarked;
