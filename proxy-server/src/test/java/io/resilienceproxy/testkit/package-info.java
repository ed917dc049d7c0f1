/**
 * What the end-to-end tests are written with: raw clients and scripted upstreams that see every byte, a real nginx, a
 * real Toxiproxy, and the guard that fails a run which leaked a buffer.
 *
 * <p>Knows sockets, threads and HTTP/1.1 as RFC 9112 spells it, parsed as strictly as a recipient may. Never knows the
 * proxy: a fixture that shared the proxy's parser would agree with its mistakes.
 */
@NullMarked
package io.resilienceproxy.testkit;

import org.jspecify.annotations.NullMarked;
