package io.resilienceproxy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.resilienceproxy.config.LoadResult;
import io.resilienceproxy.config.PolicyLoader;
import io.resilienceproxy.policy.Policy;
import io.resilienceproxy.routing.RouteTable;
import io.resilienceproxy.time.Clock;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the loader calls valid can be put into use: the ends of every range that a protection is built from. */
class ExtremePolicyTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pool: {max-connections: 1}",
                "pool: {max-connections: 10000}, bulkhead: {max-concurrent-calls: 10000, max-waiting: 10000}",
                "bulkhead: {max-concurrent-calls: 1, max-wait-duration: 0ms, max-waiting: 0}",
                "circuit-breaker: {sliding-window-size: 2, minimum-number-of-calls: 2}",
                "circuit-breaker: {sliding-window-size: 10000, minimum-number-of-calls: 10000}",
                "circuit-breaker: {sliding-window-type: TIME_BASED, sliding-window-size: 2}",
                "circuit-breaker: {sliding-window-type: TIME_BASED, sliding-window-size: 10000}",
                "circuit-breaker: {sliding-window-type: TIME_BASED, minimum-number-of-calls: 10000}",
                "circuit-breaker: {failure-rate-threshold: 1, slow-call-rate-threshold: 1}",
                "circuit-breaker: {failure-rate-threshold: 100, slow-call-rate-threshold: 100}",
                "circuit-breaker: {slow-call-duration-threshold: 1ms, wait-duration-in-open-state: 1ms}",
                "circuit-breaker: {slow-call-duration-threshold: 24h, wait-duration-in-open-state: 24h}",
                "circuit-breaker: {permitted-number-of-calls-in-half-open-state: 1, failure-statuses: []}",
                "circuit-breaker: {permitted-number-of-calls-in-half-open-state: 10000}",
                "timeouts: {connect: 1ms, read: 2ms, call: 3ms}, deadline: {buffer: 2ms}",
                "timeouts: {connect: 10s, read: 60s, call: 24h}",
                "retry: {max-attempts: 1, retry-on: [], methods: []}",
                "retry: {max-attempts: 5, wait-duration: 1ms, exponential-backoff-multiplier: 10}",
                "retry: {max-attempts: 5, wait-duration: 1ms, exponential-backoff-multiplier: 1.001}",
                "retry: {max-attempts: 2, wait-duration: 30s, max-wait-duration: 30s}",
                "retry: {max-attempts: 1, wait-duration: 24h, max-wait-duration: 24h}",
                "retry: {max-replay-body: 0B, budget: {ratio: 0, max-tokens: 1}}",
                "retry: {max-replay-body: 16MiB, budget: {ratio: 1, max-tokens: 1000}}"
            })
    void aValidPolicyCanBePutIntoUse(String settings) {
        String yaml = "upstreams: {up: {url: http://up, " + settings + "}}";
        LoadResult result = new PolicyLoader(name -> null).parse("test.yaml", yaml);
        assertThat(result.policy()).as("%s", result.problems()).isNotNull();
        Policy policy = Objects.requireNonNull(result.policy());

        assertThatCode(() -> RouteTable.from(policy, Clock.SYSTEM, (name, from, to, failures, slow) -> {}))
                .doesNotThrowAnyException();
    }
}
