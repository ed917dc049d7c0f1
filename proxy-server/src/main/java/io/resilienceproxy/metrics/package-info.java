/**
 * What the exchanges report, as Prometheus series. {@link io.resilienceproxy.metrics.MeterNames} is the list of all of
 * them.
 *
 * <p>Knows the exchange's reports, core's breakers, bulkheads and budgets, and Micrometer: the only package that does,
 * and the only one beside core that reads Resilience4j. Never knows request control flow, HTTP messages, pools, or who
 * asks for a scrape.
 */
@NullMarked
package io.resilienceproxy.metrics;

import org.jspecify.annotations.NullMarked;
