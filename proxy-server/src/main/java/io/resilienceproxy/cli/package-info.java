/**
 * The command line and the composition root: the only package that knows every other, and that nothing knows.
 *
 * <p>Knows picocli, exit codes and what has to be closed in which order. Never knows how any part does its work.
 */
@NullMarked
package io.resilienceproxy.cli;

import org.jspecify.annotations.NullMarked;
