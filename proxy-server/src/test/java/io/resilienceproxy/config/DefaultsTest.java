package io.resilienceproxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.policy.Admin;
import io.resilienceproxy.policy.BulkheadPolicy;
import io.resilienceproxy.policy.CircuitBreakerPolicy;
import io.resilienceproxy.policy.DeadlinePolicy;
import io.resilienceproxy.policy.FallbackPolicy;
import io.resilienceproxy.policy.Limits;
import io.resilienceproxy.policy.ListenAddress;
import io.resilienceproxy.policy.Logging;
import io.resilienceproxy.policy.Policy;
import io.resilienceproxy.policy.PoolPolicy;
import io.resilienceproxy.policy.RetryPolicy;
import io.resilienceproxy.policy.RouteMatch;
import io.resilienceproxy.policy.RoutePolicy;
import io.resilienceproxy.policy.Shutdown;
import io.resilienceproxy.policy.Timeouts;
import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.policy.UpstreamUrl;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a policy is when its file says the least it can. */
class DefaultsTest {

    private final Policy policy = Loading.clean("upstreams: {sber: {url: http://sber}}");
    private final UpstreamPolicy upstream = policy.upstreams().get(0);
    private final RoutePolicy route = upstream.defaultRoute();

    @Test
    void theProcessHasTheDefaultsOfTheFormat() {
        assertThat(policy.listen()).isEqualTo(new ListenAddress("127.0.0.1", 8480));
        assertThat(policy.admin()).isEqualTo(new Admin(new ListenAddress("127.0.0.1", 9480), false));
        assertThat(policy.threads()).isEqualTo(1);
        assertThat(policy.limits()).isEqualTo(Limits.DEFAULT);
        assertThat(policy.shutdown()).isEqualTo(Shutdown.DEFAULT);
        assertThat(policy.logging()).isEqualTo(Logging.DEFAULT);
    }

    @Test
    void anUpstreamHasOneDefaultRouteAndNoPortOrHostOfItsOwn() {
        assertThat(upstream.name()).isEqualTo("sber");
        assertThat(upstream.url()).isEqualTo(new UpstreamUrl("http", "sber", 80, ""));
        assertThat(upstream.listenPort()).isEqualTo(OptionalInt.empty());
        assertThat(upstream.hosts()).isEmpty();
        assertThat(upstream.routes()).isEqualTo(List.of());
        assertThat(upstream.pool()).isEqualTo(PoolPolicy.DEFAULT);
        assertThat(route.name()).isEqualTo("default");
        assertThat(route.match()).isEqualTo(RouteMatch.ANY);
        assertThat(route.stream()).isFalse();
        assertThat(route.own()).isEqualTo(Set.of());
    }

    @Test
    void itsTreatmentHasTheDefaultsOfTheFormat() {
        assertThat(route.timeouts()).isEqualTo(Timeouts.DEFAULT);
        assertThat(route.deadline()).isEqualTo(DeadlinePolicy.DEFAULT);
        assertThat(route.bulkhead()).isEqualTo(new BulkheadPolicy(16, Duration.ofMillis(100), 16));
        assertThat(route.circuitBreaker()).isEqualTo(CircuitBreakerPolicy.defaults(Duration.ofSeconds(2)));
        assertThat(route.retry()).isEqualTo(RetryPolicy.DEFAULT);
        assertThat(route.fallback()).isEqualTo(FallbackPolicy.OFF);
        assertThat(upstream.health()).isNull();
    }
}
