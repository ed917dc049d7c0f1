/**
 * The admin listener: metrics, liveness, readiness, for Prometheus and the kubelet. No request changes
 * anything but one: where the policy allows it, a POST from this machine stops the process.
 *
 * <p>Has an event loop of its own, so that a scrape never stalls traffic. Knows Netty and the views that it is handed.
 * Never knows exchanges, metrics, policies, or what a view shows.
 */
@NullMarked
package io.resilienceproxy.admin;

import org.jspecify.annotations.NullMarked;
