package io.resilienceproxy.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.exchange.Ending;
import io.resilienceproxy.exchange.ExchangeListener;
import io.resilienceproxy.exchange.Reason;
import io.resilienceproxy.outcome.Verdict;
import io.resilienceproxy.resilience.Breaker;
import io.resilienceproxy.resilience.Bulkhead;
import io.resilienceproxy.routing.RouteTable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProxyMetersTest {

    private static final List<String> STATES = List.of("closed", "open", "half-open");
    private static final String OPEN_TIME =
            "resilience_proxy_breaker_open_time_seconds_total{breaker=\"sber\",upstream=\"sber\"}";

    private final MetricsFixture fixture = new MetricsFixture();
    private final ProxyMeters meters = fixture.meters;
    private final RouteTable table = fixture.table("sber", "insurance");

    @Test
    void showsExactlyOneStateOfABreakerThroughItsWholeCycle() {
        meters.bind(table);
        Breaker breaker = table.upstreams().get(0).breaker();
        assertThat(shownStates()).containsExactly("closed");

        MetricsFixture.settle(breaker, Verdict.FAILURE, 10);
        assertThat(shownStates()).containsExactly("open");

        fixture.clock.advance(Duration.ofSeconds(31));
        assertThat(shownStates()).as("without traffic it does not move").containsExactly("open");
        MetricsFixture.settle(breaker, Verdict.SUCCESS, 1);
        assertThat(shownStates()).containsExactly("half-open");

        MetricsFixture.settle(breaker, Verdict.SUCCESS, 2);
        assertThat(shownStates()).containsExactly("closed");
    }

    private List<String> shownStates() {
        return STATES.stream()
                .filter(state -> fixture.value("resilience_proxy_breaker_state{breaker=\"sber\",state=\"" + state
                                + "\",upstream=\"sber\"}")
                        == 1)
                .toList();
    }

    @Test
    void readsTheStateOnceAtTheStartOfAScrape() {
        meters.bind(table);
        MetricsFixture.settle(table.upstreams().get(0).breaker(), Verdict.FAILURE, 10);

        assertThat(fixture.registryText())
                .as("however it moves while series are read")
                .contains("resilience_proxy_breaker_state{breaker=\"sber\",state=\"closed\",upstream=\"sber\"} 1.0")
                .contains("resilience4j_circuitbreaker_state{name=\"sber\",state=\"open\"} 0.0");
        assertThat(shownStates()).containsExactly("open");
    }

    @Test
    void agreesWithResilience4jsOwnStateMetric() {
        meters.bind(table);
        MetricsFixture.settle(table.upstreams().get(0).breaker(), Verdict.FAILURE, 10);

        assertThat(fixture.value("resilience4j_circuitbreaker_state{name=\"sber\",state=\"open\"}"))
                .isEqualTo(1);
        assertThat(fixture.value("resilience4j_circuitbreaker_state{name=\"sber\",state=\"closed\"}"))
                .isEqualTo(0);
        assertThat(fixture.value("resilience4j_circuitbreaker_state{name=\"sber\",state=\"half_open\"}"))
                .isEqualTo(0);
    }

    @Test
    void neitherNanNorMinusOneIsShownWhileAWindowHoldsTooFewCalls() {
        meters.bind(table);
        MetricsFixture.settle(table.upstreams().get(0).breaker(), Verdict.FAILURE, 2);

        assertThat(fixture.value("resilience4j_circuitbreaker_failure_rate{name=\"sber\"}"))
                .isEqualTo(0);
        assertThat(fixture.value("resilience4j_circuitbreaker_buffered_calls{kind=\"failed\",name=\"sber\"}"))
                .isEqualTo(2);
        assertThat(fixture.text().lines())
                .filteredOn(line -> line.startsWith("resilience"))
                .noneMatch(line -> line.endsWith(" NaN") || line.endsWith(" -1.0"));
    }

    @Test
    void showsGaugesAfterAGarbageCollectionToo() {
        meters.bind(fixture.table("sber"));
        meters.bindBuild(String.join(".", "1", "2", "3"));
        System.gc();

        assertThat(fixture.value("resilience_proxy_bulkhead_limit{bulkhead=\"sber\",upstream=\"sber\"}"))
                .isEqualTo(16);
        assertThat(fixture.value("resilience_proxy_build{version=\"1.2.3\"}")).isEqualTo(1);
        assertThat(fixture.value("resilience_proxy_inbound_connections")).isEqualTo(0);
        assertThat(fixture.value(OPEN_TIME)).isEqualTo(0);
    }

    @Test
    void timeOpenAdvancesWhileOpenAndStopsBehindIt() {
        meters.bind(table);
        Breaker breaker = table.upstreams().get(0).breaker();
        MetricsFixture.settle(breaker, Verdict.FAILURE, 10);
        fixture.clock.advance(Duration.ofSeconds(10));
        assertThat(fixture.value(OPEN_TIME)).isEqualTo(10);
        fixture.clock.advance(Duration.ofSeconds(25));
        assertThat(fixture.value(OPEN_TIME)).isEqualTo(35);

        MetricsFixture.settle(breaker, Verdict.SUCCESS, 3);
        fixture.clock.advance(Duration.ofSeconds(100));
        assertThat(fixture.value(OPEN_TIME)).isEqualTo(35);
    }

    @Test
    void countsTransitionsOfBreakersThatAreNotBoundYet() {
        Breaker breaker = table.upstreams().get(0).breaker();
        MetricsFixture.settle(breaker, Verdict.FAILURE, 10);
        meters.bind(table);

        assertThat(transitions("closed", "open")).isEqualTo(1);
        assertThat(transitions("open", "half-open")).isEqualTo(0);
        assertThat(shownStates()).containsExactly("open");
    }

    private double transitions(String from, String to) {
        return fixture.value("resilience_proxy_breaker_transitions_total{breaker=\"sber\",from=\"" + from + "\",to=\""
                + to + "\",upstream=\"sber\"}");
    }

    @Test
    void resetsNoCounterWhenANewTableIsPutIntoUse() {
        meters.bind(table);
        ExchangeListener before = meters.forRoute(MetricsFixture.route(table, "sber", "default"));
        MetricsFixture.settle(table.upstreams().get(0).breaker(), Verdict.FAILURE, 10);
        fixture.clock.advance(Duration.ofSeconds(5));
        before.onStarted();
        before.onEnded(Ending.RESPONSE, null, 200, 1, null, 1);
        before.onStarted();

        RouteTable next = fixture.table("sber");
        ExchangeListener after = meters.forRoute(MetricsFixture.route(next, "sber", "default"));
        meters.bind(next);
        after.onStarted();
        after.onEnded(Ending.RESPONSE, null, 200, 1, null, 1);

        String route = "route=\"default\",";
        assertThat(fixture.value("resilience_proxy_request_duration_seconds_count{outcome=\"response\"," + route
                        + "status=\"2xx\",upstream=\"sber\"}"))
                .isEqualTo(2);
        assertThat(fixture.value("resilience_proxy_requests_in_flight{" + route + "upstream=\"sber\"}"))
                .as("an exchange keeps the table that it started with")
                .isEqualTo(1);
        assertThat(transitions("closed", "open")).isEqualTo(1);
        assertThat(fixture.value(OPEN_TIME)).isEqualTo(5);
        assertThat(shownStates()).as("the gauges read the new breaker").containsExactly("closed");
    }

    @Test
    void removesTheGaugesOfAnUpstreamThatIsGone() {
        meters.bind(table);
        meters.bindPool("insurance", () -> 1, () -> 2, () -> 3, () -> 4, () -> 5);
        String limit = "resilience_proxy_bulkhead_limit{bulkhead=\"insurance\"";
        String state = "resilience_proxy_breaker_state{breaker=\"insurance\"";
        String pool = "resilience_proxy_pool_limit{upstream=\"insurance\"";
        assertThat(fixture.has(limit) && fixture.has(state) && fixture.has(pool))
                .isTrue();

        meters.bind(fixture.table("sber"));

        assertThat(fixture.has(limit) || fixture.has(state) || fixture.has(pool))
                .isFalse();
        assertThat(fixture.has("resilience4j_circuitbreaker_state{name=\"insurance\""))
                .isFalse();
        assertThat(fixture.has("resilience_proxy_bulkhead_limit{bulkhead=\"sber\""))
                .isTrue();
    }

    @Test
    void showsBulkheadBudgetAndPoolAsTheyAre() {
        meters.bind(table);
        meters.bindPool("sber", () -> 1, () -> 2, () -> 3, () -> 4, () -> 20);
        Bulkhead bulkhead = table.upstreams().get(0).bulkhead();
        bulkhead.tryAcquire();
        table.upstreams().get(0).budget().tryWithdraw();

        assertThat(fixture.value("resilience_proxy_bulkhead_available{bulkhead=\"sber\",upstream=\"sber\"}"))
                .isEqualTo(15);
        assertThat(fixture.value("resilience4j_bulkhead_available_concurrent_calls{name=\"sber\"}"))
                .isEqualTo(15);
        assertThat(fixture.value("resilience_proxy_bulkhead_waiting{bulkhead=\"sber\",upstream=\"sber\"}"))
                .isEqualTo(0);
        assertThat(fixture.value("resilience_proxy_retry_budget_tokens{budget=\"sber\",upstream=\"sber\"}"))
                .isEqualTo(4);
        assertThat(fixture.value("resilience_proxy_retry_budget_tokens{budget=\"sber.reports\",upstream=\"sber\"}"))
                .isEqualTo(5);
        assertThat(fixture.value("resilience_proxy_pool_connections{state=\"connecting\",upstream=\"sber\"}"))
                .isEqualTo(3);
        assertThat(fixture.value("resilience_proxy_pool_waiting{upstream=\"sber\"}"))
                .isEqualTo(4);
        assertThat(fixture.value("resilience_proxy_pool_limit{upstream=\"sber\"}"))
                .isEqualTo(20);
    }

    @Test
    void theHashOfThePolicyInUseReplacesTheOneBefore() {
        meters.configAccepted("aaaa", 2);
        meters.configAccepted("aaaa", 2);
        meters.configRejected(3, 1);
        assertThat(fixture.value("resilience_proxy_config_policy{hash=\"aaaa\"}"))
                .isEqualTo(1);
        assertThat(fixture.value("resilience_proxy_config_last_load_successful"))
                .isZero();
        assertThat(fixture.value("resilience_proxy_config_findings{severity=\"error\"}"))
                .isEqualTo(3);
        assertThat(fixture.value("resilience_proxy_config_findings{severity=\"warning\"}"))
                .isEqualTo(1);

        meters.configAccepted("bbbb", 0);
        assertThat(fixture.text()).contains("hash=\"bbbb\"").doesNotContain("aaaa");
        assertThat(fixture.value("resilience_proxy_config_last_load_successful"))
                .isEqualTo(1);
        assertThat(fixture.value("resilience_proxy_config_findings{severity=\"error\"}"))
                .isZero();
        assertThat(fixture.value("resilience_proxy_config_loads_total{result=\"success\"}"))
                .isEqualTo(3);
    }

    @Test
    void countsWhatBelongsToNoExchange() {
        AtomicLong dropped = new AtomicLong(7);
        meters.bindDroppedLogLines(dropped::get);
        meters.bindBuild("1.2.3");
        meters.onConnectionOpened();
        meters.onConnectionOpened();
        meters.onConnectionClosed();
        meters.onRefused(Reason.NO_ROUTE);
        meters.configAccepted("cafe", 2);
        meters.configRejected(3, 1);

        assertThat(fixture.value("resilience_proxy_log_lines_dropped_total")).isEqualTo(7);
        assertThat(fixture.value("resilience_proxy_build{version=\"1.2.3\"}")).isEqualTo(1);
        assertThat(fixture.value("resilience_proxy_inbound_connections")).isEqualTo(1);
        assertThat(fixture.value("resilience_proxy_inbound_refused_total{reason=\"no-route\"}"))
                .isEqualTo(1);
        assertThat(fixture.value("resilience_proxy_inbound_refused_total{reason=\"headers-too-large\"}"))
                .isEqualTo(0);
        assertThat(fixture.value("resilience_proxy_config_loads_total{result=\"failure\"}"))
                .isEqualTo(1);
        assertThat(fixture.value("resilience_proxy_config_last_success_time_seconds"))
                .isEqualTo(1_700_000_001.0);
        assertThat(fixture.has("jvm_memory_used_bytes")).isTrue();
    }

    @Test
    void answersInTheFormatThatIsAskedFor() {
        assertThat(meters.scrape("text/html,*/*").contentType()).startsWith("text/plain; version=0.0.4");

        Scrape openMetrics = meters.scrape("application/openmetrics-text;version=1.0.0,text/plain;q=0.5");
        assertThat(openMetrics.contentType()).startsWith("application/openmetrics-text");
        assertThat(new String(openMetrics.body(), StandardCharsets.UTF_8)).endsWith("# EOF\n");
    }
}
