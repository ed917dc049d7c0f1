package io.resilienceproxy.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.resilienceproxy.eventlog.EventLog;
import io.resilienceproxy.exchange.Ending;
import io.resilienceproxy.exchange.ExchangeListener;
import io.resilienceproxy.exchange.Reason;
import io.resilienceproxy.exchange.TrafficListeners;
import io.resilienceproxy.outcome.AttemptOutcome;
import io.resilienceproxy.outcome.Delivery;
import io.resilienceproxy.outcome.FailureKind;
import io.resilienceproxy.outcome.Rejection;
import io.resilienceproxy.outcome.Verdict;
import io.resilienceproxy.policy.Logging;
import io.resilienceproxy.resilience.RetryDecision.Stop;
import io.resilienceproxy.resilience.RetryReason;
import io.resilienceproxy.routing.RouteTable;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RouteMetersTest {

    private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

    private final MetricsFixture fixture = new MetricsFixture();
    private final RouteTable table = fixture.table("sber");
    private final ExchangeListener exchanges = fixture.meters.forRoute(MetricsFixture.route(table, "sber", "default"));

    @Test
    void countsAnExchangeInTheBucketsOfItsDurationOutcomeAndStatus() {
        exchanges.onStarted();
        exchanges.onEnded(Ending.RESPONSE, null, 204, 1, null, 7 * MILLISECOND);

        String series = "resilience_proxy_request_duration_seconds_%s{outcome=\"response\",route=\"default\",";
        String bucket = series.formatted("bucket") + "status=\"2xx\",upstream=\"sber\",le=\"%s\"}";
        assertThat(fixture.value(bucket.formatted("0.005"))).isEqualTo(0);
        assertThat(fixture.value(bucket.formatted("0.01"))).isEqualTo(1);
        assertThat(fixture.value(bucket.formatted("60.0"))).isEqualTo(1);
        assertThat(fixture.value(series.formatted("sum") + "status=\"2xx\",upstream=\"sber\"}"))
                .isEqualTo(0.007);
    }

    @Test
    void showsExchangesInFlightUntilTheyEnd() {
        String inFlight = "resilience_proxy_requests_in_flight{route=\"default\",upstream=\"sber\"}";
        exchanges.onStarted();
        exchanges.onStarted();
        assertThat(fixture.value(inFlight)).isEqualTo(2);

        exchanges.onEnded(Ending.RESPONSE, null, 200, 1, null, MILLISECOND);
        assertThat(fixture.value(inFlight)).isEqualTo(1);
    }

    @Test
    void countsAttemptsByResult() {
        exchanges.onAttemptEnded(0, AttemptOutcome.response(503), Verdict.FAILURE, MILLISECOND);
        exchanges.onAttemptEnded(
                0, AttemptOutcome.failure(FailureKind.READ_TIMEOUT, Delivery.UNKNOWN), Verdict.FAILURE, MILLISECOND);
        exchanges.onBreakerRefused(0);
        exchanges.onAttemptEnded(0, AttemptOutcome.rejected(Rejection.CIRCUIT_OPEN), Verdict.IGNORED, 0);
        exchanges.onAttemptEnded(0, AttemptOutcome.abandoned(), Verdict.IGNORED, MILLISECOND);
        exchanges.onAttemptEnded(0, AttemptOutcome.response(200), Verdict.SUCCESS, MILLISECOND);
        exchanges.onAttemptEnded(0, AttemptOutcome.response(200), Verdict.SUCCESS, MILLISECOND);

        String attempts = "resilience_proxy_attempts_total{result=\"%s\",route=\"default\",upstream=\"sber\"}";
        assertThat(fixture.value(attempts.formatted("5xx"))).isEqualTo(1);
        assertThat(fixture.value(attempts.formatted("read-timeout"))).isEqualTo(1);
        assertThat(fixture.value(attempts.formatted("circuit-open"))).isEqualTo(1);
        assertThat(fixture.value(attempts.formatted("abandoned"))).isEqualTo(1);
        assertThat(fixture.value(attempts.formatted("2xx"))).isEqualTo(2);
        assertThat(fixture.value(attempts.formatted("3xx"))).isEqualTo(0);
    }

    @Test
    void feedsResilience4jsCallMetricsFromVerdicts() {
        exchanges.onAttemptEnded(0, AttemptOutcome.response(404), Verdict.SUCCESS, 3 * MILLISECOND);
        exchanges.onAttemptEnded(0, AttemptOutcome.response(500), Verdict.FAILURE, MILLISECOND);
        exchanges.onBreakerRefused(0);
        exchanges.onAttemptEnded(0, AttemptOutcome.rejected(Rejection.CIRCUIT_OPEN), Verdict.IGNORED, 0);

        String calls = "resilience4j_circuitbreaker_calls_seconds_%s{kind=\"%s\",name=\"sber\"}";
        assertThat(fixture.value(calls.formatted("count", "successful"))).isEqualTo(1);
        assertThat(fixture.value(calls.formatted("sum", "successful"))).isEqualTo(0.003);
        assertThat(fixture.value(calls.formatted("count", "failed"))).isEqualTo(1);
        assertThat(fixture.value(
                        "resilience4j_circuitbreaker_not_permitted_calls_total{kind=\"not_permitted\",name=\"sber\"}"))
                .isEqualTo(1);
    }

    @Test
    void countsRetriesAndWhyOthersWereRefused() {
        exchanges.onRetry(RetryReason.CONNECT_FAILURE);
        exchanges.onRetryRefused(Stop.NOT_REPLAYABLE);
        exchanges.onRetryRefused(Stop.BUDGET_EXHAUSTED);

        String route = "route=\"default\",upstream=\"sber\"}";
        assertThat(fixture.value("resilience_proxy_retries_total{reason=\"connect-failure\"," + route))
                .isEqualTo(1);
        assertThat(fixture.value("resilience_proxy_retries_refused_total{cause=\"not-replayable\"," + route))
                .isEqualTo(1);
        assertThat(
                        fixture.value(
                                "resilience_proxy_retry_budget_exhausted_total{budget=\"sber\",mode=\"enforce\",upstream=\"sber\"}"))
                .isEqualTo(1);
        assertThat(fixture.has("resilience_proxy_retries_refused_total{cause=\"not-retryable\""))
                .isFalse();
    }

    @Test
    void countsWhatTheProxyAnsweredItself() {
        exchanges.onStarted();
        exchanges.onDeadlineMalformed();
        exchanges.onEnded(Ending.NOT_SENT, Reason.DEADLINE_EXHAUSTED, 504, 0, null, MILLISECOND);
        exchanges.onStarted();
        exchanges.onEnded(Ending.NOT_SENT, Reason.EXPECTATION_FAILED, 417, 0, null, MILLISECOND);
        exchanges.onStarted();
        exchanges.onEnded(Ending.CALLER_LEFT, null, 0, 1, null, MILLISECOND);

        String route = "route=\"default\",upstream=\"sber\"}";
        String answers = "resilience_proxy_own_answers_total{reason=\"%s\"," + route;
        assertThat(fixture.value(answers.formatted("deadline-exhausted"))).isEqualTo(1);
        assertThat(fixture.value(answers.formatted("expectation-failed"))).isEqualTo(1);
        assertThat(fixture.value(answers.formatted("circuit-open"))).isEqualTo(0);
        assertThat(fixture.value("resilience_proxy_deadline_refusals_total{" + route))
                .isEqualTo(1);
        assertThat(fixture.value("resilience_proxy_deadline_malformed_total{" + route))
                .isEqualTo(1);
        assertThat(fixture.value("resilience_proxy_caller_departures_total{" + route))
                .isEqualTo(1);
    }

    @Test
    void countsBulkheadRejectionsOfTheInstanceThatRefused() {
        ExchangeListener reports = fixture.meters.forRoute(MetricsFixture.route(table, "sber", "reports"));
        reports.onAttemptEnded(0, AttemptOutcome.rejected(Rejection.BULKHEAD_FULL), Verdict.IGNORED, 0);

        String rejections =
                "resilience_proxy_bulkhead_rejections_total{bulkhead=\"%s\",mode=\"enforce\",upstream=\"sber\"}";
        assertThat(fixture.value(rejections.formatted("sber.reports"))).isEqualTo(1);
        assertThat(fixture.value(rejections.formatted("sber"))).isEqualTo(0);
    }

    @Test
    void hasNoMoreSeriesWhateverStatusesAnUpstreamInvents() {
        for (int status = 0; status < 600; status++) {
            exchanges.onStarted();
            exchanges.onEnded(Ending.RESPONSE, null, status, 1, null, MILLISECOND);
        }
        long bounded = lines();
        for (int status = 600; status < 1000; status++) {
            exchanges.onStarted();
            exchanges.onEnded(Ending.RESPONSE, null, status, 1, null, MILLISECOND);
        }

        assertThat(lines()).isEqualTo(bounded);
    }

    /** With the event log behind the same reports, as in the process. */
    @Test
    void allocatesNothingForAGoodExchange() {
        EventLog log = new EventLog(fixture.clock, Logging.Access.ERRORS);
        ExchangeListener both =
                TrafficListeners.both(fixture.meters, log).forRoute(MetricsFixture.route(table, "sber", "default"));
        AttemptOutcome ok = AttemptOutcome.response(200);
        int exchanges = 20_000;
        report(both, ok, exchanges);

        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        report(both, ok, exchanges);
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(bytes / exchanges).isZero();
    }

    private static void report(ExchangeListener listener, AttemptOutcome outcome, int exchanges) {
        for (int i = 0; i < exchanges; i++) {
            listener.onStarted();
            listener.onAttemptEnded(0, outcome, Verdict.SUCCESS, MILLISECOND);
            listener.onEnded(Ending.RESPONSE, null, 200, 1, null, MILLISECOND);
        }
    }

    private long lines() {
        return fixture.text()
                .lines()
                .filter(line -> line.startsWith("resilience_proxy"))
                .count();
    }

    @Test
    void ofSeveralUrlsEachHasAttemptsAndABreakerOfItsOwn() {
        MetricsFixture several = new MetricsFixture();
        RouteTable table = several.table(MetricsFixture.upstream("sber", "east.test", "west.test"));
        ExchangeListener calls = several.meters.forRoute(MetricsFixture.route(table, "sber", "default"));

        calls.onBreakerRefused(0);
        calls.onAttemptEnded(1, AttemptOutcome.response(200), Verdict.SUCCESS, MILLISECOND);

        String attempts = "resilience_proxy_site_attempts_total{result=\"2xx\",site=\"";
        assertThat(several.value(attempts + "west.test:80\",upstream=\"sber\"}"))
                .isEqualTo(1);
        assertThat(several.value(attempts + "east.test:80\",upstream=\"sber\"}"))
                .isZero();
        String rejections = "resilience_proxy_breaker_rejections_total{breaker=\"sber@";
        assertThat(several.value(rejections + "east.test:80\",mode=\"enforce\",upstream=\"sber\"}"))
                .isEqualTo(1);
        assertThat(several.value(rejections + "west.test:80\",mode=\"enforce\",upstream=\"sber\"}"))
                .isZero();
        String successful = "resilience4j_circuitbreaker_calls_seconds_count{kind=\"successful\",name=\"sber@";
        assertThat(several.value(successful + "west.test:80\"}")).isEqualTo(1);
    }

    @Test
    void aSingleUrlHasNoSeriesBesideItsUpstreams() {
        MetricsFixture single = new MetricsFixture();
        single.meters.forRoute(MetricsFixture.route(single.table("sber"), "sber", "default"));

        assertThat(single.has("resilience_proxy_site_attempts")).isFalse();
        assertThat(single.text()).doesNotContain("sber@");
    }
}
