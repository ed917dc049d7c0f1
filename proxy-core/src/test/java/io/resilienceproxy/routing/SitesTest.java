package io.resilienceproxy.routing;

import static io.resilienceproxy.routing.Tables.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.outcome.Verdict;
import io.resilienceproxy.policy.PoolPolicy;
import io.resilienceproxy.policy.RouteMatch;
import io.resilienceproxy.policy.RoutePolicy;
import io.resilienceproxy.policy.RoutePolicy.Protection;
import io.resilienceproxy.policy.TlsPolicy;
import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.policy.UpstreamUrl;
import io.resilienceproxy.resilience.Breaker;
import io.resilienceproxy.resilience.BreakerState;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** An upstream with several urls: a breaker for each, which keeps what it knows wherever in the list its url stands. */
class SitesTest {

    private static final UpstreamUrl EAST = new UpstreamUrl("http", "east.example.com", 8080, "");
    private static final UpstreamUrl WEST = new UpstreamUrl("http", "west.example.com", 80, "/v1");
    private static final UpstreamUrl NORTH = new UpstreamUrl("http", "2001:db8::1", 80, "");
    private static final RoutePolicy OWNS = route("reports", new RouteMatch("/reports", Set.of()), Protection.values());

    private static UpstreamPolicy at(UpstreamUrl... urls) {
        return new UpstreamPolicy(
                "pay",
                List.of(urls),
                OptionalInt.empty(),
                List.of(),
                PoolPolicy.DEFAULT,
                TlsPolicy.DEFAULT,
                null,
                route(RoutePolicy.DEFAULT_NAME, RouteMatch.ANY),
                List.of(OWNS));
    }

    private static Upstream upstream(RouteTable table) {
        return table.upstreams().get(0);
    }

    private static List<String> names(List<Breaker> breakers) {
        return breakers.stream().map(Breaker::name).toList();
    }

    private static void trip(Breaker breaker) {
        while (breaker.state() == BreakerState.CLOSED) {
            breaker.tryAcquire().settle(Verdict.FAILURE, 1);
        }
    }

    private static List<BreakerState> states(List<Breaker> breakers) {
        return breakers.stream().map(Breaker::state).toList();
    }

    @Test
    void aSingleUrlLeavesTheUpstreamsNamesAsTheyAre() {
        Upstream pay = upstream(Tables.table(at(EAST)));

        assertThat(names(pay.breakers())).containsExactly("pay");
        assertThat(names(pay.routes().get(0).breakers())).containsExactly("pay.reports");
        assertThat(pay.routes().get(1).breakers()).isEqualTo(pay.breakers());
    }

    @Test
    void eachOfSeveralUrlsHasABreakerNamedByItsSite() {
        Upstream pay = upstream(Tables.table(at(EAST, WEST, NORTH)));

        assertThat(names(pay.breakers()))
                .containsExactly("pay@east.example.com:8080", "pay@west.example.com:80", "pay@[2001:db8::1]:80");
        assertThat(names(pay.routes().get(0).breakers()))
                .containsExactly(
                        "pay.reports@east.example.com:8080",
                        "pay.reports@west.example.com:80",
                        "pay.reports@[2001:db8::1]:80");
        assertThat(pay.breaker()).isSameAs(pay.breakers().get(0));
        assertThat(Stream.concat(pay.breakers().stream(), pay.routes().get(0).breakers().stream())
                        .distinct())
                .hasSize(6);
    }

    @Test
    void bulkheadAndBudgetStayOneForAllUrls() {
        Upstream pay = upstream(Tables.table(at(EAST, WEST)));

        assertThat(pay.bulkhead().name()).isEqualTo("pay");
        assertThat(pay.routes().get(1).bulkhead()).isSameAs(pay.bulkhead());
    }

    @Test
    void aBreakerLivesOnWhereverInTheListItsUrlStands() {
        RouteTable first = Tables.table(at(EAST, WEST));
        Upstream before = upstream(first);
        trip(before.breakers().get(0));

        Upstream after = upstream(Tables.following(first, at(NORTH, WEST, EAST)));

        assertThat(after.breakers().get(1)).isSameAs(before.breakers().get(1));
        assertThat(after.breakers().get(2)).isSameAs(before.breakers().get(0));
        assertThat(states(after.breakers()))
                .containsExactly(BreakerState.CLOSED, BreakerState.CLOSED, BreakerState.OPEN);
    }

    @Test
    void aUrlThatComesBackStartsFresh() {
        RouteTable first = Tables.table(at(EAST, WEST));
        trip(upstream(first).breakers().get(1));
        RouteTable without = Tables.following(first, at(EAST, NORTH));

        Upstream again = upstream(Tables.following(without, at(EAST, WEST)));

        assertThat(states(again.breakers())).containsOnly(BreakerState.CLOSED);
    }

    @Test
    void theOnlyUrlKeepsItsStateUnderItsNewNameWhenItGetsCompany() {
        RouteTable first = Tables.table(at(EAST));
        trip(upstream(first).breaker());
        trip(upstream(first).routes().get(0).breaker());
        long remaining = upstream(first).breaker().remainingOpenNanos();

        Upstream after = upstream(Tables.following(first, at(WEST, EAST)));

        assertThat(states(after.breakers())).containsExactly(BreakerState.CLOSED, BreakerState.OPEN);
        assertThat(after.breakers().get(1).remainingOpenNanos()).isEqualTo(remaining);
        assertThat(states(after.routes().get(0).breakers())).containsExactly(BreakerState.CLOSED, BreakerState.OPEN);
    }

    @Test
    void andKeepsItWhenItIsAloneAgain() {
        RouteTable first = Tables.table(at(WEST, EAST));
        trip(upstream(first).breakers().get(1));

        Upstream after = upstream(Tables.following(first, at(EAST)));

        assertThat(names(after.breakers())).containsExactly("pay");
        assertThat(after.breaker().state()).isEqualTo(BreakerState.OPEN);
    }

    @Test
    void callsOfBeforeCountForTheNewName() {
        RouteTable first = Tables.table(at(EAST));
        var permits = Stream.generate(() -> upstream(first).breaker().tryAcquire())
                .limit(50)
                .toList();

        Upstream after = upstream(Tables.following(first, at(EAST, WEST)));
        permits.forEach(permit -> permit.settle(Verdict.FAILURE, 1));

        assertThat(states(after.breakers())).containsExactly(BreakerState.OPEN, BreakerState.CLOSED);
    }

    @Test
    void everyUrlImpliesItsAuthority() {
        RouteTable table = Tables.table(at(EAST, WEST));

        assertThat(table.match(RouteTable.SHARED_LISTENER, null, "east.example.com:8080", "GET", "/"))
                .isNotNull();
        assertThat(table.match(RouteTable.SHARED_LISTENER, "west.example.com", null, "GET", "/"))
                .isNotNull();
        assertThat(table.match(RouteTable.SHARED_LISTENER, "north.example.com", null, "GET", "/"))
                .isNull();
    }
}
