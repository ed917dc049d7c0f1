package io.resilienceproxy.routing;

import static io.resilienceproxy.routing.RouteTable.SHARED_LISTENER;
import static io.resilienceproxy.routing.Tables.route;
import static io.resilienceproxy.routing.Tables.table;
import static io.resilienceproxy.routing.Tables.upstream;
import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.policy.RouteMatch;
import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.policy.UpstreamUrl;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteTableTest {

    private final RouteTable table = table(
            upstream(
                    "sber",
                    new UpstreamUrl("http", "pay.example.com", 8080, "/v1"),
                    OptionalInt.of(8501),
                    List.of("pay.internal"),
                    route("reports", new RouteMatch("/reports", Set.of("GET"))),
                    route("any-reports", new RouteMatch("/reports", Set.of())),
                    route("late", new RouteMatch("/reports/late", Set.of()))),
            upstream("insurance", "insurance.example.com", 80));

    @ParameterizedTest
    @CsvSource({
        "/sber, 5",
        "/sber/, 5",
        "/sber/payments, 5",
        "/sber?id=1, 5",
        "/sber//payments, 5",
        "/sber/../insurance/x, 5",
        "/insurance/x?to=/sber/, 10"
    })
    void findsTheUpstreamByTheFirstSegment(String target, int prefixLength) {
        RouteMatched matched = shared(null, "localhost:8480", target);
        assertThat(matched).isNotNull();
        assertThat(matched.prefixLength()).isEqualTo(prefixLength);
        assertThat(matched.route().upstreamName()).isEqualTo(target.substring(1, prefixLength));
        assertThat(matched.route().name()).isEqualTo("default");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/sberX",
                "/sbe",
                "/SBER/x",
                "//sber/x",
                "/%73ber/x",
                "/sber;v=1/x",
                "/sber%2Fx",
                "/./sber",
                "/?/sber",
                "*",
                "",
                "sber/x",
                "http://sber/x"
            })
    void findsNothingByAnotherFirstSegment(String target) {
        assertThat(shared(null, "localhost:8480", target)).isNull();
        assertThat(shared(null, null, target)).isNull();
    }

    @Test
    void findsTheUpstreamByHostAndTakesNothingOffTheTarget() {
        RouteMatched matched = shared(null, "PAY.example.com:8080", "/insurance/x");
        assertThat(matched).isNotNull();
        assertThat(matched.route().upstreamName()).isEqualTo("sber");
        assertThat(matched.prefixLength()).isZero();
    }

    @Test
    void forwardsAnAsteriskToTheHostThatIsNamed() {
        RouteMatched matched = table.match(SHARED_LISTENER, null, "pay.internal", "OPTIONS", "*");
        assertThat(matched).isNotNull();
        assertThat(matched.route().name()).isEqualTo("default");
    }

    @Test
    void sendsATargetWithAnAuthorityThereWhateverHostSays() {
        assertThat(upstreamOf(shared("insurance.example.com", "pay.internal", "/sber/x")))
                .isEqualTo("insurance");
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.example.com", "localhost:8480", "pay.example.com", "pay.example.com:8081", ""})
    void sendsATargetWithAnotherAuthorityNowhere(String authority) {
        assertThat(shared(authority, "pay.internal", "/sber/x")).isNull();
        assertThat(table.match(8501, authority, "pay.internal", "GET", "/x")).isNull();
    }

    @Test
    void findsTheUpstreamByItsOwnPortWhateverTheHostAndPath() {
        RouteMatched matched = table.match(8501, null, "insurance.example.com", "GET", "/insurance/x");
        assertThat(upstreamOf(matched)).isEqualTo("sber");
        assertThat(matched).extracting(RouteMatched::prefixLength).isEqualTo(0);
    }

    @Test
    void takesItsOwnAuthorityOnItsOwnPort() {
        for (String own : List.of("pay.example.com:8080", "Pay.Internal", "pay.internal:8501")) {
            assertThat(upstreamOf(table.match(8501, own, null, "GET", "/x"))).isEqualTo("sber");
        }
        assertThat(table.match(8501, "insurance.example.com", null, "GET", "/x"))
                .isNull();
    }

    @Test
    void findsNothingOnAPortThatNobodyHas() {
        assertThat(table.match(8502, null, "pay.internal", "GET", "/sber/x")).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /sber/reports, reports",
        "GET, /sber/reports/, reports",
        "GET, /sber/reports?from=1, reports",
        "GET, /sber/reports/late, reports",
        "POST, /sber/reports, any-reports",
        "POST, /sber/reports/late, any-reports",
        "get, /sber/reports, any-reports",
        "GET, /sber/reportsX, default",
        "GET, /sber/report, default",
        "GET, /sber/x/reports, default",
        "GET, /sber//reports, default",
        "GET, /sber/Reports, default",
        "GET, /sber, default"
    })
    void takesTheFirstRouteThatMatches(String method, String target, String route) {
        RouteMatched matched = table.match(SHARED_LISTENER, null, null, method, target);
        assertThat(matched).isNotNull();
        assertThat(matched.route().name()).isEqualTo(route);
    }

    @Test
    void matchesRoutesBehindHostAndPortToo() {
        assertThat(shared(null, "pay.internal", "/reports"))
                .extracting(m -> m.route().name())
                .isEqualTo("reports");
        assertThat(table.match(8501, null, null, "GET", "/reports/1"))
                .extracting(m -> m.route().name())
                .isEqualTo("reports");
    }

    @Test
    void numbersItsRoutesInOrder() {
        assertThat(table.routes())
                .extracting(r -> r.upstreamName() + "." + r.name())
                .containsExactly("sber.reports", "sber.any-reports", "sber.late", "sber.default", "insurance.default");
        for (int i = 0; i < table.routes().size(); i++) {
            assertThat(table.routes().get(i).index()).isEqualTo(i);
        }
        assertThat(table.upstreams()).extracting(Upstream::name).containsExactly("sber", "insurance");
    }

    @Test
    void answersWithReadyMadeMatches() {
        assertThat(shared(null, null, "/sber/a")).isSameAs(shared(null, null, "/sber/b"));
        assertThat(shared(null, "pay.internal", "/a")).isSameAs(shared(null, "pay.internal", "/b"));
    }

    @Test
    void findsEachOfManyUpstreams() {
        int count = 1000;
        UpstreamPolicy[] upstreams = new UpstreamPolicy[count];
        for (int i = 0; i < count; i++) {
            upstreams[i] = upstream("up-" + i, "up-" + i + ".example.com", 8080, "alias-" + i);
        }
        RouteTable many = table(upstreams);
        for (int i = 0; i < count; i++) {
            String name = "up-" + i;
            assertThat(upstreamOf(many.match(SHARED_LISTENER, null, null, "GET", "/" + name + "/x")))
                    .isEqualTo(name);
            assertThat(upstreamOf(many.match(SHARED_LISTENER, null, "alias-" + i + ":1", "GET", "/")))
                    .isEqualTo(name);
        }
        assertThat(many.match(SHARED_LISTENER, null, null, "GET", "/up-1000/x")).isNull();
    }

    @Test
    void findsNothingInAnEmptyTable() {
        assertThat(table().match(SHARED_LISTENER, null, "a:1", "GET", "/a")).isNull();
    }

    private @Nullable RouteMatched shared(@Nullable String authority, @Nullable String host, String target) {
        return table.match(SHARED_LISTENER, authority, host, "GET", target);
    }

    private static @Nullable String upstreamOf(@Nullable RouteMatched matched) {
        return matched == null ? null : matched.route().upstreamName();
    }
}
