/**
 * Event loops: which transport carries them, and the timers that run on them. A leaf.
 *
 * <p>Knows Netty's loops and the clock. Never knows HTTP, pools or policies.
 */
@NullMarked
package io.resilienceproxy.loop;

import org.jspecify.annotations.NullMarked;
