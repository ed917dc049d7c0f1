/**
 * What the exchanges and breakers report, as log lines: one per breaker transition, one per burst of refusals, one per
 * exchange where the policy asks for an access log. And where the lines go.
 *
 * <p>Knows the exchange's reports and slf4j; {@link io.resilienceproxy.eventlog.LogSetup} and what it sets up know
 * Logback. Never knows request content: a line is made of names from the policy, closed sets of tokens and numbers.
 */
@NullMarked
package io.resilienceproxy.eventlog;

import org.jspecify.annotations.NullMarked;
