package io.resilienceproxy.eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.resilienceproxy.exchange.Ending;
import io.resilienceproxy.exchange.ExchangeListener;
import io.resilienceproxy.exchange.Reason;
import io.resilienceproxy.outcome.AttemptOutcome;
import io.resilienceproxy.outcome.Rejection;
import io.resilienceproxy.outcome.Verdict;
import io.resilienceproxy.policy.Admin;
import io.resilienceproxy.policy.BulkheadPolicy;
import io.resilienceproxy.policy.CircuitBreakerPolicy;
import io.resilienceproxy.policy.DeadlinePolicy;
import io.resilienceproxy.policy.FallbackPolicy;
import io.resilienceproxy.policy.Limits;
import io.resilienceproxy.policy.ListenAddress;
import io.resilienceproxy.policy.Logging;
import io.resilienceproxy.policy.Mode;
import io.resilienceproxy.policy.Policy;
import io.resilienceproxy.policy.PoolPolicy;
import io.resilienceproxy.policy.Priority;
import io.resilienceproxy.policy.RetryPolicy;
import io.resilienceproxy.policy.RouteMatch;
import io.resilienceproxy.policy.RoutePolicy;
import io.resilienceproxy.policy.Shutdown;
import io.resilienceproxy.policy.Timeouts;
import io.resilienceproxy.policy.TlsPolicy;
import io.resilienceproxy.policy.UpstreamPolicy;
import io.resilienceproxy.policy.UpstreamUrl;
import io.resilienceproxy.resilience.BreakerState;
import io.resilienceproxy.resilience.RetryDecision.Stop;
import io.resilienceproxy.routing.Route;
import io.resilienceproxy.routing.RouteTable;
import io.resilienceproxy.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class EventLogTest {

    private final MovedClock clock = new MovedClock();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger events = (Logger) LoggerFactory.getLogger(EventLog.class);
    private final Logger accesses = (Logger) LoggerFactory.getLogger(AccessLog.LOGGER);
    private final EventLog log = new EventLog(clock, Logging.Access.ERRORS);
    private final ExchangeListener exchanges = log.forRoute(route());

    @BeforeEach
    void listen() {
        lines.start();
        events.addAppender(lines);
        accesses.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        events.detachAppender(lines);
        accesses.detachAppender(lines);
    }

    @Test
    void writesOneWarningPerBreakerTransitionWithWhatTheRuleAsksFor() {
        log.onTransition("sber.reports", BreakerState.CLOSED, BreakerState.OPEN, 62.5f, 0);
        log.onTransition("sber.reports", BreakerState.OPEN, BreakerState.HALF_OPEN, -1, -1);

        assertThat(messages())
                .containsExactly(
                        "circuit breaker transition system=sber breaker=sber.reports prev_state=closed new_state=open"
                                + " failure_rate=62.5 slow_call_rate=0.0",
                        "circuit breaker transition system=sber breaker=sber.reports prev_state=open"
                                + " new_state=half-open failure_rate=n/a slow_call_rate=n/a");
        assertThat(lines.list).allMatch(event -> event.getLevel() == Level.WARN);
    }

    @Test
    void foldsABurstOfBulkheadRefusalsIntoItsFirstLineAndOneMore() {
        for (int i = 0; i < 57; i++) {
            refuseByBulkhead();
            clock.advance(Duration.ofMillis(10));
            log.flush(clock.nanoTime());
        }
        clock.advance(Burst.QUIET);
        log.flush(clock.nanoTime());
        clock.advance(Duration.ofSeconds(60));
        log.flush(clock.nanoTime());

        assertThat(messages())
                .containsExactly(
                        "bulkhead full system=sber bulkhead=sber count=1",
                        "bulkhead full system=sber bulkhead=sber count=56");
    }

    @Test
    void reportsABurstThatDoesNotEndEveryTenSeconds() {
        for (int second = 0; second < 25; second++) {
            refuseByBulkhead();
            clock.advance(Duration.ofMillis(999));
            log.flush(clock.nanoTime());
        }
        assertThat(messages()).hasSize(3);

        clock.advance(Burst.QUIET);
        log.flush(clock.nanoTime());
        assertThat(counts()).as("the counts add up").isEqualTo(25);
    }

    @Test
    void writesASingleRefusalOnceAndTheNextBurstAtOnceAgain() {
        refuseByBulkhead();
        clock.advance(Burst.QUIET);
        log.flush(clock.nanoTime());
        assertThat(messages()).hasSize(1);

        refuseByBulkhead();
        assertThat(messages()).hasSize(2);
    }

    @Test
    void foldsBudgetExhaustionApartFromBulkheadRefusals() {
        exchanges.onRetryRefused(Stop.BUDGET_EXHAUSTED);
        exchanges.onRetryRefused(Stop.BUDGET_EXHAUSTED);
        exchanges.onRetryRefused(Stop.NOT_REPLAYABLE);
        refuseByBulkhead();
        log.flushAll();

        assertThat(messages())
                .containsExactly(
                        "retry budget exhausted system=sber budget=sber count=1",
                        "bulkhead full system=sber bulkhead=sber count=1",
                        "retry budget exhausted system=sber budget=sber count=1");
    }

    @Test
    void goesOnWithTheSameBurstUnderANewRouteTable() {
        refuseByBulkhead();
        log.forRoute(route()).onAttemptEnded(0, AttemptOutcome.rejected(Rejection.BULKHEAD_FULL), Verdict.IGNORED, 0);

        assertThat(messages()).hasSize(1);
    }

    @Test
    void complainsOfMalformedDeadlinesAtMostOnceAMinute() {
        exchanges.onDeadlineMalformed();
        clock.advance(Duration.ofSeconds(59));
        exchanges.onDeadlineMalformed();
        assertThat(messages())
                .containsExactly("malformed deadline system=sber route=default header=X-Request-Deadline-Ms count=1");

        clock.advance(Duration.ofSeconds(1));
        exchanges.onDeadlineMalformed();
        assertThat(messages()).hasSize(2).last().asString().endsWith("count=2");
    }

    @Test
    void writesNoLineForAGoodExchangeUnlessAllAreAskedFor() {
        end(Ending.RESPONSE, null, 200);
        assertThat(messages()).isEmpty();

        log.setAccess(Logging.Access.ALL);
        end(Ending.RESPONSE, null, 200);
        assertThat(messages())
                .containsExactly(
                        "upstream=sber route=default status=200 outcome=response reason=- attempts=2 endpoint=192.0.2.1:80 duration_ms=41");
    }

    @Test
    void writesALineForEverythingThatDidNotEndWithAWhole2xx() {
        end(Ending.RESPONSE, null, 404);
        end(Ending.RESPONSE_ABORTED, null, 200);
        end(Ending.UNKNOWN, Reason.READ_TIMEOUT, 504);
        end(Ending.CALLER_LEFT, null, 0);
        log.onRefused(Reason.NO_ROUTE);

        assertThat(messages())
                .containsExactly(
                        "upstream=sber route=default status=404 outcome=response reason=- attempts=2 endpoint=192.0.2.1:80 duration_ms=41",
                        "upstream=sber route=default status=200 outcome=response-aborted reason=- attempts=2"
                                + " endpoint=192.0.2.1:80 duration_ms=41",
                        "upstream=sber route=default status=504 outcome=unknown reason=read-timeout attempts=2"
                                + " endpoint=192.0.2.1:80 duration_ms=41",
                        "upstream=sber route=default status=0 outcome=caller-left reason=- attempts=2 endpoint=192.0.2.1:80 duration_ms=41",
                        "upstream=- route=- status=404 outcome=not-sent reason=no-route attempts=0 endpoint=- duration_ms=0");
    }

    @Test
    void writesNoAccessLineWhenItIsOff() {
        log.setAccess(Logging.Access.OFF);
        end(Ending.RESPONSE, null, 500);
        log.onRefused(Reason.NO_ROUTE);

        assertThat(messages()).isEmpty();
    }

    private void refuseByBulkhead() {
        exchanges.onAttemptEnded(0, AttemptOutcome.rejected(Rejection.BULKHEAD_FULL), Verdict.IGNORED, 0);
    }

    private void end(Ending ending, Reason reason, int status) {
        exchanges.onEnded(ending, reason, status, 2, "192.0.2.1:80", TimeUnit.MICROSECONDS.toNanos(41_900));
    }

    private List<String> messages() {
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private int counts() {
        return messages().stream()
                .mapToInt(line -> Integer.parseInt(line.substring(line.indexOf("count=") + "count=".length())))
                .sum();
    }

    private Route route() {
        RoutePolicy shared = new RoutePolicy(
                RoutePolicy.DEFAULT_NAME,
                RouteMatch.ANY,
                Mode.ENFORCE,
                Timeouts.DEFAULT,
                DeadlinePolicy.DEFAULT,
                false,
                Priority.NORMAL,
                new BulkheadPolicy(16, Duration.ofMillis(100), 16),
                CircuitBreakerPolicy.defaults(Duration.ofSeconds(2)),
                RetryPolicy.DEFAULT,
                FallbackPolicy.OFF,
                Set.of());
        UpstreamPolicy sber = new UpstreamPolicy(
                "sber",
                List.of(new UpstreamUrl("http", "sber.test", 80, "")),
                OptionalInt.empty(),
                List.of(),
                PoolPolicy.DEFAULT,
                TlsPolicy.DEFAULT,
                null,
                shared,
                List.of());
        Policy policy = new Policy(
                ListenAddress.DEFAULT_LISTEN,
                1,
                Admin.DEFAULT,
                Limits.DEFAULT,
                Shutdown.DEFAULT,
                Logging.DEFAULT,
                List.of(sber));
        return RouteTable.from(policy, clock, log).routes().get(0);
    }

    /** Stands still until it is moved. */
    private static final class MovedClock implements Clock {
        private long nanos = Long.MAX_VALUE - 5_000_000_000L;

        void advance(Duration by) {
            nanos += by.toNanos();
        }

        @Override
        public long nanoTime() {
            return nanos;
        }

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }
    }
}
