package io.resilienceproxy.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.policy.Admin;
import io.resilienceproxy.policy.BulkheadPolicy;
import io.resilienceproxy.policy.CircuitBreakerPolicy;
import io.resilienceproxy.policy.CircuitBreakerPolicy.WindowType;
import io.resilienceproxy.policy.DeadlinePolicy;
import io.resilienceproxy.policy.FallbackPolicy;
import io.resilienceproxy.policy.FallbackPolicy.Field;
import io.resilienceproxy.policy.FallbackPolicy.FixedResponse;
import io.resilienceproxy.policy.HealthPolicy;
import io.resilienceproxy.policy.HealthPolicy.Method;
import io.resilienceproxy.policy.Limits;
import io.resilienceproxy.policy.ListenAddress;
import io.resilienceproxy.policy.Logging;
import io.resilienceproxy.policy.Mode;
import io.resilienceproxy.policy.Policy;
import io.resilienceproxy.policy.PoolPolicy;
import io.resilienceproxy.policy.Priority;
import io.resilienceproxy.policy.RetryPolicy;
import io.resilienceproxy.policy.RetryPolicy.BudgetPolicy;
import io.resilienceproxy.policy.RetryPolicy.RetryOn;
import io.resilienceproxy.policy.RouteMatch;
import io.resilienceproxy.policy.RoutePolicy;
import io.resilienceproxy.policy.RoutePolicy.Protection;
import io.resilienceproxy.policy.Shutdown;
import io.resilienceproxy.policy.StatusSet;
import io.resilienceproxy.policy.Timeouts;
import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.policy.UpstreamUrl;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every key, with a value that is not its default. */
class FullMappingTest {

    private static final String TEXT = """
            listen: {host: "0.0.0.0", port: 8481}
            threads: 2
            admin: {host: "::1", port: 9481, quit: true}
            limits: {max-connections: 99, max-header-size: 8KiB, header-timeout: 11s, idle-timeout: 6m}
            shutdown: {quiet-period: 2s, timeout: 31s}
            logging: {level: DEBUG, access: all}
            upstreams:
              sber:
                url: http://Sber.Example.com:8080/v1
                listen-port: 8501
                hosts: [PAY.example.com, "other:8443", "third:80"]
                mode: observe
                timeouts: {connect: 1s, read: 9s, call: 50s}
                deadline: {header: X-Deadline, buffer: 50ms}
                pool: {max-connections: 30, idle-timeout: 1m, max-lifetime: 10m, min-idle: 3}
                bulkhead: {max-concurrent-calls: 20, max-wait-duration: 90ms, max-waiting: 5}
                circuit-breaker:
                  sliding-window-type: TIME_BASED
                  sliding-window-size: 60
                  minimum-number-of-calls: 20
                  failure-rate-threshold: 40
                  slow-call-duration-threshold: 4s
                  slow-call-rate-threshold: 60
                  wait-duration-in-open-state: 10s
                  permitted-number-of-calls-in-half-open-state: 4
                  failure-statuses: [429, 5xx]
                retry:
                  max-attempts: 4
                  wait-duration: 200ms
                  exponential-backoff-multiplier: 1.5
                  max-wait-duration: 1s
                  retry-on: [connect-failure, 503]
                  methods: [GET]
                  idempotency-header: X-Key
                  max-replay-body: 1MiB
                  budget: {ratio: 0.125, max-tokens: 20}
                fallback:
                  stale-if-error: 2h
                  max-bytes: 1MiB
                  key-headers: [X-Tenant, Authorization, x-tenant]
                  response:
                    status: 203
                    headers: {Content-Type: text/plain, X-Note: "a b"}
                    body: "none\\nat all"
                health: {path: "/health?full=1", method: HEAD, ttl: 10s, affects-readiness: true}
                routes:
                  - name: reports
                    path: /reports
                    methods: [GET, POST]
                    mode: enforce
                    stream: true
                    priority: high
                    timeouts: {connect: 2s, read: 20s, call: 30s}
                    deadline: {header: X-Other, buffer: 0ms}
                    bulkhead: {max-concurrent-calls: 4, max-wait-duration: 0ms, max-waiting: 0}
                    circuit-breaker: {sliding-window-type: COUNT_BASED, failure-statuses: []}
                    retry: {max-attempts: 1, retry-on: [], methods: [], budget: {ratio: 0}}
                  - name: list
                    path: /list
                    fallback: {stale-if-error: 0ms, key-headers: [], response: {status: none}}
            """;

    private final Policy policy = Loading.clean(TEXT);
    private final UpstreamPolicy upstream = policy.upstreams().get(0);
    private final RoutePolicy shared = upstream.defaultRoute();
    private final RoutePolicy reports = upstream.routes().get(0);

    @Test
    void mapsTheProcess() {
        assertThat(policy.listen()).isEqualTo(new ListenAddress("0.0.0.0", 8481));
        assertThat(policy.threads()).isEqualTo(2);
        assertThat(policy.admin()).isEqualTo(new Admin(new ListenAddress("::1", 9481), true));
        assertThat(policy.limits()).isEqualTo(new Limits(99, 8192, Duration.ofSeconds(11), Duration.ofMinutes(6)));
        assertThat(policy.shutdown()).isEqualTo(new Shutdown(Duration.ofSeconds(2), Duration.ofSeconds(31)));
        assertThat(policy.logging()).isEqualTo(new Logging(Logging.Level.DEBUG, Logging.Access.ALL));
    }

    @Test
    void mapsAnUpstream() {
        assertThat(upstream.url()).isEqualTo(new UpstreamUrl("http", "sber.example.com", 8080, "/v1"));
        assertThat(upstream.listenPort()).isEqualTo(OptionalInt.of(8501));
        assertThat(upstream.hosts()).containsExactly("pay.example.com", "other:8443", "third");
        assertThat(upstream.pool()).isEqualTo(new PoolPolicy(30, Duration.ofMinutes(1), Duration.ofMinutes(10), 3));
        assertThat(shared.mode()).isEqualTo(Mode.OBSERVE);
        assertThat(shared.timeouts())
                .isEqualTo(new Timeouts(Duration.ofSeconds(1), Duration.ofSeconds(9), Duration.ofSeconds(50)));
        assertThat(shared.deadline()).isEqualTo(new DeadlinePolicy("X-Deadline", Duration.ofMillis(50)));
        assertThat(shared.bulkhead()).isEqualTo(new BulkheadPolicy(20, Duration.ofMillis(90), 5));
    }

    @Test
    void mapsACircuitBreaker() {
        assertThat(shared.circuitBreaker())
                .isEqualTo(new CircuitBreakerPolicy(
                        WindowType.TIME_BASED,
                        60,
                        20,
                        40,
                        Duration.ofSeconds(4),
                        60,
                        Duration.ofSeconds(10),
                        4,
                        StatusSet.SERVER_ERRORS.plus(429)));
    }

    @Test
    void mapsARetry() {
        assertThat(shared.retry())
                .isEqualTo(new RetryPolicy(
                        4,
                        Duration.ofMillis(200),
                        1.5,
                        Duration.ofSeconds(1),
                        new RetryOn(true, false, false, StatusSet.NONE.plus(503)),
                        Set.of("GET"),
                        "X-Key",
                        1024 * 1024,
                        new BudgetPolicy(125, 20_000)));
    }

    @Test
    void mapsAFallback() {
        FixedResponse response = new FixedResponse(
                203, List.of(new Field("Content-Type", "text/plain"), new Field("X-Note", "a b")), "none\nat all");

        assertThat(shared.fallback())
                .isEqualTo(new FallbackPolicy(
                        Duration.ofHours(2), 1024 * 1024, List.of("authorization", "x-tenant"), response));
        assertThat(reports.fallback()).isEqualTo(shared.fallback());
        assertThat(upstream.routes().get(1).fallback())
                .isEqualTo(new FallbackPolicy(Duration.ZERO, 1024 * 1024, List.of(), null));
    }

    @Test
    void mapsHealth() {
        assertThat(upstream.health())
                .isEqualTo(new HealthPolicy("/health?full=1", Method.HEAD, Duration.ofSeconds(10), true));
    }

    @Test
    void mapsARoute() {
        assertThat(reports.name()).isEqualTo("reports");
        assertThat(reports.match()).isEqualTo(new RouteMatch("/reports", Set.of("GET", "POST")));
        assertThat(reports.mode()).isEqualTo(Mode.ENFORCE);
        assertThat(reports.stream()).isTrue();
        assertThat(reports.priority()).isEqualTo(Priority.HIGH);
        assertThat(shared.priority()).isEqualTo(Priority.NORMAL);
        assertThat(reports.timeouts().call()).isEqualTo(Duration.ofSeconds(30));
        assertThat(reports.deadline()).isEqualTo(new DeadlinePolicy("X-Other", Duration.ZERO));
        assertThat(reports.bulkhead()).isEqualTo(new BulkheadPolicy(4, Duration.ZERO, 0));
        assertThat(reports.circuitBreaker().slidingWindowType()).isEqualTo(WindowType.COUNT_BASED);
        assertThat(reports.circuitBreaker().failureStatuses()).isEqualTo(StatusSet.NONE);
        assertThat(reports.retry().maxAttempts()).isEqualTo(1);
        assertThat(reports.retry().retryOn()).isEqualTo(new RetryOn(false, false, false, StatusSet.NONE));
        assertThat(reports.retry().methods()).isEmpty();
        assertThat(reports.retry().budget()).isEqualTo(new BudgetPolicy(0, 20_000));
        assertThat(reports.own()).isEqualTo(Set.of(Protection.values()));
    }
}
