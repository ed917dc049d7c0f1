package io.resilienceproxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is allowed but unwise: a warning with its rule, and a policy. */
class AdviceTest {

    private static void assertAdvice(String text, String... lines) {
        assertThat(Loading.problems(text)).containsExactly(lines);
        assertThat(Loading.load(text).policy()).isNotNull();
    }

    @Test
    void callLeavesASecondForTheRest() {
        assertAdvice(
                Loading.upstream("timeouts: {connect: 1s, read: 2s, call: 3500ms}", "retry: {max-attempts: 1}"),
                "4:39: warning: upstreams.sber.timeouts.call: call is 3500ms"
                        + " (advised: at least connect 1s + read 2s + 1s = 4s) [TO-1]");
    }

    @Test
    void allAttemptsFitTheCall() {
        assertAdvice(
                Loading.upstream("timeouts: {connect: 1s, read: 4s, call: 15s}"),
                "4:39: warning: upstreams.sber.timeouts.call: call is 15s, later attempts may never run"
                        + " (advised: 3 x (connect 1s + read 4s) + pauses 300ms = 15300ms) [product]");
        assertAdvice(
                Loading.upstream("retry: {max-attempts: 4}"),
                "4:13: warning: upstreams.sber.retry.max-attempts: call is 8s, later attempts may never run"
                        + " (advised: 4 x (connect 500ms + read 2s) + pauses 700ms = 10700ms) [product]");
    }

    @Test
    void theBulkheadRefusesBeforeThePoolIsDry() {
        assertAdvice(
                Loading.upstream("bulkhead: {max-concurrent-calls: 17}"),
                "4:16: warning: upstreams.sber.bulkhead.max-concurrent-calls: max-concurrent-calls is 17 of"
                        + " pool.max-connections 20 (advised: at most 0.8 x the pool, 16) [BH-3]",
                "4:16: warning: upstreams.sber.bulkhead.max-concurrent-calls: max-concurrent-calls is 17 of"
                        + " pool.max-connections 20 (advised: a pool of 1.2 x the calls, 21) [ISO-2]");
        assertAdvice(Loading.upstream("pool: {max-connections: 1}"));
    }

    @Test
    void aBulkheadsQueueIsShort() {
        assertAdvice(
                Loading.upstream("bulkhead: {max-wait-duration: 101ms}"),
                "4:16: warning: upstreams.sber.bulkhead.max-wait-duration: 101ms (advised: at most 100ms) [BH-3]");
    }

    @Test
    void aBreakerCanFire() {
        assertAdvice(
                Loading.upstream("circuit-breaker: {failure-rate-threshold: 81, slow-call-duration-threshold: 2s}"),
                "4:23: warning: upstreams.sber.circuit-breaker.failure-rate-threshold: 81"
                        + " (advised: 50 percent, 30 for critical systems, at most 80) [CB-3]",
                "4:51: warning: upstreams.sber.circuit-breaker.slow-call-duration-threshold:"
                        + " slow-call-duration-threshold is 2s, it never fires"
                        + " (advised: half of timeouts.read, which is 2s) [CB-5]");
    }

    @Test
    void aRouteIsWarnedOfItsOwnBreakerOnly() {
        String upstream = "circuit-breaker: {slow-call-duration-threshold: 1500ms}";

        assertAdvice(Loading.upstream(upstream, "routes: [{name: a, path: /a, timeouts: {read: 1s}}]"));
        assertAdvice(
                Loading.upstream(upstream, "routes: [{name: a, path: /a, timeouts: {read: 1s}, circuit-breaker: {}}]"),
                "5:45: warning: upstreams.sber.routes[0].timeouts.read: slow-call-duration-threshold is 1500ms,"
                        + " it never fires (advised: half of timeouts.read, which is 1s) [CB-5]");
    }

    @Test
    void retriesAreFewAndOfReads() {
        assertAdvice(
                Loading.upstream("retry: {methods: [GET, PUT, DELETE], budget: {ratio: 0.201}}"),
                "4:28: warning: upstreams.sber.retry.methods[1]: PUT (advised: reads only; writes with a key) [RE-1]",
                "4:33: warning: upstreams.sber.retry.methods[2]: DELETE (advised: reads only; writes with a key) [RE-1]",
                "4:51: warning: upstreams.sber.retry.budget.ratio: 0.201 (advised: at most 0.2) [budget]");
    }

    @Test
    void pausesOfMoreThanFiveSecondsAreASmell() {
        assertAdvice(
                Loading.upstream("timeouts: {call: 1m}", "retry: {wait-duration: 2s}"),
                "5:13: warning: upstreams.sber.retry.wait-duration: pauses of up to 2s + 4s = 6s (advised: at most 5s) [RE-4]");
    }

    @Test
    void poolsTogetherFitTheProcess() {
        String upstreams = "upstreams: {a: {url: http://a}, b: {url: http://b}}\n";

        assertAdvice(
                "limits: {max-connections: 39}\n" + upstreams,
                "1:10: warning: limits.max-connections: the upstreams' pool.max-connections add up to 40"
                        + " (advised: at most limits.max-connections, which is 39) [sum]");
        assertAdvice("limits: {max-connections: 40}\n" + upstreams);
        assertAdvice(
                "upstreams: {a: {url: http://a, pool: {max-connections: 2000}}}",
                "1:1: warning: upstreams: the upstreams' pool.max-connections add up to 2000"
                        + " (advised: at most limits.max-connections, which is 1024) [sum]");
    }

    @Test
    void aWarningInDefaultsIsGivenOnce() {
        assertThat(Loading.problems("defaults: {circuit-breaker: {failure-rate-threshold: 90}}\n"
                        + "upstreams: {a: {url: http://a}, b: {url: http://b}}"))
                .hasSize(1);
    }
}
