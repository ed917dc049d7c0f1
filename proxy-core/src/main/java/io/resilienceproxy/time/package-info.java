/**
 * The one clock. A leaf: everything that measures or waits takes its time from here, so that tests can move it.
 */
@NullMarked
package io.resilienceproxy.time;

import org.jspecify.annotations.NullMarked;
