package io.resilienceproxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.policy.BulkheadPolicy;
import io.resilienceproxy.policy.Mode;
import io.resilienceproxy.policy.RoutePolicy;
import io.resilienceproxy.policy.RoutePolicy.Protection;
import io.resilienceproxy.policy.UpstreamPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class InheritanceTest {

    private static UpstreamPolicy first(String text) {
        return Loading.clean(text).upstreams().get(0);
    }

    private static RoutePolicy route(String... lines) {
        return first(Loading.upstream(lines)).routes().get(0);
    }

    @Test
    void inheritsKeyByKeyFromDefaultsToUpstreamToRoute() {
        UpstreamPolicy sber = first("""
                defaults:
                  timeouts: {connect: 100ms, read: 1s, call: 11s}
                  retry: {budget: {max-tokens: 7}}
                upstreams:
                  sber:
                    url: http://sber
                    timeouts: {read: 2s}
                    retry: {budget: {ratio: 0.1}}
                    routes:
                      - name: a
                        path: /a
                        timeouts: {call: 12s}
                        retry: {budget: {ratio: 0.05}}
                """);

        assertThat(sber.defaultRoute().timeouts()).hasToString("Timeouts[connect=PT0.1S, read=PT2S, call=PT11S]");
        assertThat(sber.defaultRoute().retry().budget())
                .hasToString("BudgetPolicy[depositThousandths=100, maxThousandths=7000]");
        RoutePolicy route = sber.routes().get(0);
        assertThat(route.timeouts()).hasToString("Timeouts[connect=PT0.1S, read=PT2S, call=PT12S]");
        assertThat(route.retry().budget()).hasToString("BudgetPolicy[depositThousandths=50, maxThousandths=7000]");
    }

    @Test
    void enforcesUnlessToldToObserve() {
        String routes = "routes: [{name: a, path: /a}, {name: b, path: /b, mode: enforce}]";

        assertThat(first(Loading.upstream(routes)).defaultRoute().mode()).isEqualTo(Mode.ENFORCE);
        UpstreamPolicy observed = first("defaults: {mode: observe}\n" + Loading.upstream(routes));
        assertThat(observed.defaultRoute().mode()).isEqualTo(Mode.OBSERVE);
        assertThat(observed.routes()).extracting(RoutePolicy::mode).containsExactly(Mode.OBSERVE, Mode.ENFORCE);
        assertThat(Loading.problems(Loading.upstream("mode: OBSERVE")))
                .containsExactly("4:5: upstreams.sber.mode: OBSERVE (expected: one of enforce, observe)");
    }

    @Test
    void aListReplacesTheInheritedOne() {
        assertThat(route("retry: {methods: [GET]}", "routes: [{name: a, path: /a, retry: {methods: [HEAD]}}]")
                        .retry()
                        .methods())
                .containsExactly("HEAD");
    }

    @Test
    void aRouteHasForItselfWhatItNamesAndSharesTheRest() {
        String routes = "routes: [{name: a, path: /a, %s}]";

        assertThat(route(routes.formatted("timeouts: {read: 1s}")).own()).isEmpty();
        assertThat(route(routes.formatted("retry: {max-attempts: 1}")).own()).isEmpty();
        assertThat(route(routes.formatted("retry: {budget: {ratio: 0.1}}")).own())
                .containsExactly(Protection.RETRY_BUDGET);
        assertThat(route(routes.formatted("bulkhead: {}")).own()).containsExactly(Protection.BULKHEAD);
        assertThat(route(routes.formatted("circuit-breaker: {failure-rate-threshold: 20}"))
                        .own())
                .containsExactly(Protection.CIRCUIT_BREAKER);
    }

    @Test
    void whatItsUpstreamNamesIsNotARoutesOwn() {
        assertThat(route("bulkhead: {max-waiting: 3}", "routes: [{name: a, path: /a}]")
                        .own())
                .isEmpty();
    }

    @Test
    void theBulkheadFollowsThePoolInEffect() {
        String text = "defaults: {pool: {max-connections: 50}}\nupstreams: {sber: {url: http://sber}}";

        assertThat(first(text).defaultRoute().bulkhead()).isEqualTo(new BulkheadPolicy(40, Duration.ofMillis(100), 40));
        assertThat(first(Loading.upstream("pool: {max-connections: 1}"))
                        .defaultRoute()
                        .bulkhead())
                .isEqualTo(new BulkheadPolicy(1, Duration.ofMillis(100), 1));
    }

    @Test
    void theQueueFollowsTheCallsInEffectUnlessNamedAnywhere() {
        assertThat(route("routes: [{name: a, path: /a, bulkhead: {max-concurrent-calls: 4}}]")
                        .bulkhead())
                .isEqualTo(new BulkheadPolicy(4, Duration.ofMillis(100), 4));
        assertThat(route(
                                "bulkhead: {max-waiting: 9}",
                                "routes: [{name: a, path: /a, bulkhead: {max-concurrent-calls: 4}}]")
                        .bulkhead())
                .isEqualTo(new BulkheadPolicy(4, Duration.ofMillis(100), 9));
    }

    @Test
    void aSlowCallTakesHalfOfTheReadTimeoutInEffect() {
        String text = "defaults: {timeouts: {read: 2s, call: 20s}}\n"
                + Loading.upstream(
                        "timeouts: {read: 5s}",
                        "routes:",
                        "- {name: own, path: /own, timeouts: {read: 6s}, circuit-breaker: {}}",
                        "- {name: shared, path: /shared, timeouts: {read: 6s}}");
        UpstreamPolicy sber = first(text);

        assertThat(sber.defaultRoute().circuitBreaker().slowCallDurationThreshold())
                .isEqualTo(Duration.ofMillis(2500));
        assertThat(sber.routes().get(0).circuitBreaker().slowCallDurationThreshold())
                .isEqualTo(Duration.ofSeconds(3));
        assertThat(sber.routes().get(1).circuitBreaker())
                .isEqualTo(sber.defaultRoute().circuitBreaker());
    }

    @Test
    void aFaultInDefaultsIsReportedOnceHoweverManyInherit() {
        assertThat(Loading.problems("""
                        defaults: {timeouts: {read: 10}, retry: {methods: [POST]}}
                        upstreams: {a: {url: http://a}, b: {url: http://b}, c: {url: http://c, timeouts: {read: 1s}}}
                        """)).hasSize(2);
    }

    @Test
    void aFaultInDefaultsIsReportedThoughEveryUpstreamOverridesIt() {
        assertThat(Loading.problems(
                        "defaults: {timeouts: {read: 10}}\nupstreams: {a: {url: http://a, timeouts: {read: 1s}}}"))
                .hasSize(1);
    }

    @Test
    void defaultsThatOnlyFitTogetherWithTheirUpstreamAreFine() {
        assertThat(Loading.problems(
                        "defaults: {timeouts: {read: 9s}}\nupstreams: {a: {url: http://a, timeouts: {call: 40s}}}"))
                .isEmpty();
    }
}
