package io.resilienceproxy.routing;

import static io.resilienceproxy.routing.Tables.route;
import static io.resilienceproxy.routing.Tables.upstream;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.resilienceproxy.outcome.Verdict;
import io.resilienceproxy.policy.BulkheadPolicy;
import io.resilienceproxy.policy.CircuitBreakerPolicy;
import io.resilienceproxy.policy.ListenAddress;
import io.resilienceproxy.policy.RouteMatch;
import io.resilienceproxy.policy.RoutePolicy;
import io.resilienceproxy.policy.RoutePolicy.Protection;
import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.policy.UpstreamUrl;
import io.resilienceproxy.resilience.BreakerState;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FollowingTableTest {

    private static final RoutePolicy OWNS = route("reports", new RouteMatch("/reports", Set.of()), Protection.values());

    private final UpstreamPolicy sber = withRoutes(OWNS);
    private final RouteTable first = Tables.table(sber, upstream("other", "other.example.com", 80));

    @Test
    void sameNamesLiveOnWhateverElseChanges() {
        RouteTable next = Tables.following(
                first,
                upstream("new", "new.example.com", 80),
                upstream(
                        "sber",
                        new UpstreamUrl("http", "elsewhere", 81, "/v2"),
                        OptionalInt.of(8501),
                        List.of(),
                        OWNS));
        Upstream before = first.upstreams().get(0);
        Upstream after = next.upstreams().get(1);
        assertThat(after.breaker()).isSameAs(before.breaker());
        assertThat(after.bulkhead()).isSameAs(before.bulkhead());
        assertThat(after.budget()).isSameAs(before.budget());
        Route routeBefore = before.routes().get(0);
        Route routeAfter = after.routes().get(0);
        assertThat(routeAfter.breaker()).isSameAs(routeBefore.breaker());
        assertThat(routeAfter.bulkhead()).isSameAs(routeBefore.bulkhead());
        assertThat(routeAfter.budget()).isSameAs(routeBefore.budget());
        assertThat(routeAfter.breaker()).isNotSameAs(after.breaker());
    }

    @Test
    void whatWasRemovedStartsFreshWhenItComesBack() {
        trip(first.upstreams().get(0));
        RouteTable without = Tables.following(first, upstream("other", "other.example.com", 80));
        RouteTable again = Tables.following(without, sber);
        assertThat(again.upstreams().get(0).breaker())
                .isNotSameAs(first.upstreams().get(0).breaker());
        assertThat(again.upstreams().get(0).breaker().state()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void anOpenBreakerStaysOpenThroughAChangeOfAnotherUpstreamAndOfItsOwn() {
        trip(first.upstreams().get(0));
        long remaining = first.upstreams().get(0).breaker().remainingOpenNanos();
        RouteTable second = Tables.following(first, sber, upstream("third", "third.example.com", 80));
        RouteTable third = Tables.following(second, withDefaults(breaker(70), 4));
        assertThat(third.upstreams().get(0).breaker().state()).isEqualTo(BreakerState.OPEN);
        assertThat(third.upstreams().get(0).breaker().remainingOpenNanos())
                .isEqualTo(remaining)
                .isPositive();
    }

    @Test
    void aRouteThatGetsItsOwnProtectionsStartsThemFresh() {
        RouteTable shared = Tables.table(withRoutes(route("reports", new RouteMatch("/reports", Set.of()))));
        trip(shared.upstreams().get(0));
        RouteTable next = Tables.following(shared, sber);
        assertThat(next.upstreams().get(0).routes().get(0).breaker().state()).isEqualTo(BreakerState.CLOSED);
        assertThat(next.upstreams().get(0).breaker().state()).isEqualTo(BreakerState.OPEN);
    }

    @Test
    void permitsThatAreOutCountInTheNextTable() {
        Upstream before = first.upstreams().get(0);
        assertThat(before.bulkhead().tryAcquire()).isTrue();
        RouteTable next = Tables.following(first, withDefaults(breaker(50), 2));
        assertThat(next.upstreams().get(0).bulkhead().limit()).isEqualTo(2);
        assertThat(next.upstreams().get(0).bulkhead().available()).isEqualTo(1);
        before.bulkhead().release();
        assertThat(next.upstreams().get(0).bulkhead().available()).isEqualTo(2);
    }

    @Test
    void aTableThatCannotBeMadeChangesNothing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        Tables.following(first, withDefaults(breaker(70), 2), withDefaults("bad", breaker(50), 0)));
        assertThat(first.upstreams().get(0).bulkhead().limit()).isEqualTo(4);
    }

    @Test
    void theSharedPortAndAnUpstreamsPortCanChangePlaces() {
        UpstreamPolicy own =
                upstream("sber", new UpstreamUrl("http", "pay.example.com", 80, ""), OptionalInt.of(8480), List.of());
        RouteTable table = Tables.table(new ListenAddress("127.0.0.1", 8501), own);
        assertThat(table.match(8480, null, null, "GET", "/x")).isNotNull();
        assertThat(table.match(8501, null, null, "GET", "/x")).isNull();
        assertThat(table.match(8501, null, null, "GET", "/sber/x")).isNotNull();
        assertThat(table.match(RouteTable.SHARED_LISTENER, null, null, "GET", "/sber/x"))
                .isNotNull();
    }

    private static void trip(Upstream upstream) {
        while (upstream.breaker().state() == BreakerState.CLOSED) {
            var permit = upstream.breaker().tryAcquire();
            assertThat(permit).isNotNull();
            permit.settle(Verdict.FAILURE, 1);
        }
    }

    private static CircuitBreakerPolicy breaker(int failureRate) {
        CircuitBreakerPolicy like = OWNS.circuitBreaker();
        return new CircuitBreakerPolicy(
                like.slidingWindowType(),
                like.slidingWindowSize(),
                like.minimumNumberOfCalls(),
                failureRate,
                like.slowCallDurationThreshold(),
                like.slowCallRateThreshold(),
                like.waitDurationInOpenState(),
                like.permittedNumberOfCallsInHalfOpenState(),
                like.failureStatuses());
    }

    private static UpstreamPolicy withRoutes(RoutePolicy... routes) {
        return upstream(
                "sber", new UpstreamUrl("http", "pay.example.com", 80, ""), OptionalInt.empty(), List.of(), routes);
    }

    private static UpstreamPolicy withDefaults(CircuitBreakerPolicy breaker, int permits) {
        return withDefaults("sber", breaker, permits);
    }

    private static UpstreamPolicy withDefaults(String name, CircuitBreakerPolicy breaker, int permits) {
        UpstreamPolicy like = upstream(name, "pay.example.com", 80);
        return new UpstreamPolicy(
                like.name(),
                like.urls(),
                like.listenPort(),
                like.hosts(),
                like.pool(),
                like.tls(),
                like.health(),
                Tables.route(breaker, new BulkheadPolicy(permits, BulkheadPolicy.DEFAULT_MAX_WAIT, 4)),
                like.routes());
    }
}
