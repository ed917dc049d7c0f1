/**
 * Files that change while the process runs: when a new content counts as whole. A leaf.
 *
 * <p>Never knows what is in a file, or what becomes of it.
 */
@NullMarked
package io.resilienceproxy.files;

import org.jspecify.annotations.NullMarked;
