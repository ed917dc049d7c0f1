package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.resilience.BreakerState;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.Scripts;
import io.resilienceproxy.testkit.TestProxy;
import io.resilienceproxy.testkit.UpstreamRequest;
import io.resilienceproxy.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One deadline per request, from the policy and from the caller (rule TO-3). */
class DeadlineTest {

    private static final String FIELD = "X-Request-Deadline-Ms";
    private static final String MALFORMED =
            "resilience_proxy_deadline_malformed_total{route=\"default\",upstream=\"up\"}";

    private static int told(UpstreamRequest request) {
        assertThat(request.fieldValues(FIELD)).hasSize(1);
        return Integer.parseInt(request.field(FIELD));
    }

    @Test
    void theUpstreamIsToldWhatRemainsLessTheBufferAndLessWithEveryAttempt() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.status(503, "no"));
                TestProxy proxy =
                        TestProxy.of(upstream.port(), "retry: {wait-duration: 200ms, max-wait-duration: 200ms}");
                RawClient client = proxy.connect()) {
            client.get("/up/", "localhost", FIELD + ": 4000");

            List<UpstreamRequest> attempts = upstream.requests();
            assertThat(attempts).hasSize(3);
            int first = told(attempts.get(0));
            assertThat(first).isBetween(3400, 3900);
            assertThat(told(attempts.get(1))).isLessThanOrEqualTo(first);
            assertThat(told(attempts.get(2))).isLessThanOrEqualTo(told(attempts.get(1)));
        }
    }

    @Test
    void aThousandMillisecondsArriveAsNineHundredOrALittleLess() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = TestProxy.of(upstream.port());
                RawClient client = proxy.connect()) {
            client.get("/up/warm", "localhost");
            client.get("/up/", "localhost", FIELD + ": 1000");

            assertThat(told(upstream.requests().get(1))).isBetween(700, 900);
        }
    }

    @Test
    void withoutAFieldThePolicysCallTimeoutIsPassedOn() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = TestProxy.of(upstream.port());
                RawClient client = proxy.connect()) {
            client.get("/up/", "localhost");

            assertThat(told(upstream.awaitRequest())).isBetween(7000, 7900);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "-9223372036854775809", "1", "99", "100", "000"})
    void whatIsNotMoreThanTheBufferIsRefusedAndNothingIsSent(String value) {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = TestProxy.of(
                        upstream.port(), "circuit-breaker: {sliding-window-size: 5, minimum-number-of-calls: 2}");
                RawClient client = proxy.connect()) {
            for (int i = 0; i < 20; i++) {
                Problem problem = Problem.of(client.get("/up/", "localhost", FIELD + ": " + value));
                assertThat(problem.response().status()).isEqualTo(504);
                assertThat(problem.reason()).isEqualTo("deadline-exhausted");
                assertThat(problem.outcome()).isEqualTo("not-sent");
                assertThat(problem.proxyStatus())
                        .isEqualTo("resilience-proxy; error=http_request_denied; details=\"deadline exhausted\"");
                assertThat(problem.response().field("Retry-After")).isNull();
            }

            assertThat(upstream.connections()).isEmpty();
            assertThat(proxy.upstream("up").breaker().state()).isEqualTo(BreakerState.CLOSED);
            assertThat(proxy.metric("resilience_proxy_deadline_refusals_total{route=\"default\",upstream=\"up\"}"))
                    .isEqualTo(20);
        }
    }

    /** The caller can shorten what the policy allows, never lengthen it. */
    @ParameterizedTest
    @CsvSource({
        "9000, 0",
        "9223372036854775807, 0",
        "99999999999999999999, 0",
        "abc, 1",
        "'', 1",
        "-, 1",
        "+500, 1",
        "1e3, 1",
        "1.5, 1",
        "'100, 200', 1",
        "0x10, 1",
        "5 00, 1",
        "500ms, 1"
    })
    void whatIsLongerOrUnreadableLeavesThePolicysCallTimeout(String value, int malformed) {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = TestProxy.of(upstream.port());
                RawClient client = proxy.connect()) {
            assertThat(client.get("/up/", "localhost", FIELD + ": " + value).status())
                    .isEqualTo(200);

            assertThat(told(upstream.awaitRequest())).isBetween(7000, 7900);
            assertThat(proxy.metric(MALFORMED)).isEqualTo(malformed);
        }
    }

    @Test
    void aFieldThatStandsTwiceIsUnreadable() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = TestProxy.of(upstream.port());
                RawClient client = proxy.connect()) {
            assertThat(client.get("/up/", "localhost", FIELD + ": 0", FIELD + ": 500")
                            .status())
                    .isEqualTo(200);

            assertThat(told(upstream.awaitRequest())).isBetween(7000, 7900);
            assertThat(proxy.metric(MALFORMED)).isEqualTo(1);
        }
    }

    @Test
    void spacesAroundTheNumberAreNotPartOfIt() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.ok());
                TestProxy proxy = TestProxy.of(upstream.port());
                RawClient client = proxy.connect()) {
            client.get("/up/", "localhost", FIELD + ":   3000 \t");

            assertThat(told(upstream.awaitRequest())).isBetween(2000, 2900);
        }
    }

    /** No attempt begins whose pause would end behind the deadline, and none is made after it. */
    @Test
    void attemptsAndPausesLiveInsideTheDeadline() {
        try (ScriptedUpstream upstream = ScriptedUpstream.start(Scripts.silent());
                TestProxy proxy = TestProxy.of(
                        upstream.port(),
                        "timeouts: {connect: 100ms, read: 400ms, call: 1s}",
                        "retry: {wait-duration: 500ms, max-wait-duration: 500ms, max-attempts: 5}");
                RawClient client = proxy.connect()) {
            long start = Clock.SYSTEM.nanoTime();
            Problem problem = Problem.of(client.get("/up/", "localhost"));
            long tookMillis = (Clock.SYSTEM.nanoTime() - start) / 1_000_000;

            assertThat(problem.response().status()).isEqualTo(504);
            assertThat(problem.outcome()).isEqualTo("unknown");
            assertThat(tookMillis).isBetween(400L, 3000L);
            assertThat(upstream.requests()).hasSize(problem.attempts());
            int attempts = upstream.requests().size();
            proxy.awaitNothingHeld();
            assertThat(upstream.requests()).hasSize(attempts);
        }
    }
}
