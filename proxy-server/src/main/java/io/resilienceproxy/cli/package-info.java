/**
 * The composition root and the command line: everything is put together here, and nothing depends on it.
 */
@NullMarked
package io.resilienceproxy.cli;

import org.jspecify.annotations.NullMarked;
