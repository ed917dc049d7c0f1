package io.resilienceproxy.routing;

import static io.resilienceproxy.routing.Tables.route;
import static io.resilienceproxy.routing.Tables.table;
import static io.resilienceproxy.routing.Tables.upstream;
import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.policy.RouteMatch;
import io.resilienceproxy.policy.RoutePolicy.Protection;
import io.resilienceproxy.policy.UpstreamUrl;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UpstreamFactoryTest {

    private final RouteTable table = table(
            upstream(
                    "sber",
                    new UpstreamUrl("http", "pay.example.com", 80, ""),
                    OptionalInt.empty(),
                    List.of(),
                    route("shares", new RouteMatch("/shares", Set.of())),
                    route("owns", new RouteMatch("/owns", Set.of()), Protection.values()),
                    route("own-bulkhead", new RouteMatch("/b", Set.of()), Protection.BULKHEAD)),
            upstream("insurance", "insurance.example.com", 80));

    private final Upstream sber = table.upstreams().get(0);

    @Test
    void upstreamsShareNothing() {
        Upstream insurance = table.upstreams().get(1);
        assertThat(insurance.breaker()).isNotSameAs(sber.breaker());
        assertThat(insurance.bulkhead()).isNotSameAs(sber.bulkhead());
        assertThat(insurance.budget()).isNotSameAs(sber.budget());
    }

    @Test
    void aRouteSharesWhatItDoesNotName() {
        for (Route route : List.of(sber.routes().get(0), sber.routes().get(3))) {
            assertThat(route.breaker()).isSameAs(sber.breaker());
            assertThat(route.bulkhead()).isSameAs(sber.bulkhead());
            assertThat(route.budget()).isSameAs(sber.budget());
        }
        assertThat(sber.breaker().name()).isEqualTo("sber");
        assertThat(sber.bulkhead().name()).isEqualTo("sber");
    }

    @Test
    void aRouteHasForItselfWhatItNames() {
        Route owns = sber.routes().get(1);
        assertThat(owns.breaker()).isNotSameAs(sber.breaker());
        assertThat(owns.bulkhead()).isNotSameAs(sber.bulkhead());
        assertThat(owns.budget()).isNotSameAs(sber.budget());
        assertThat(owns.breaker().name()).isEqualTo("sber.owns");
        assertThat(owns.bulkhead().name()).isEqualTo("sber.owns");
        Route ownBulkhead = sber.routes().get(2);
        assertThat(ownBulkhead.bulkhead()).isNotSameAs(sber.bulkhead());
        assertThat(ownBulkhead.breaker()).isSameAs(sber.breaker());
    }
}
