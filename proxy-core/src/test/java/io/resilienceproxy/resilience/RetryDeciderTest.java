package io.resilienceproxy.resilience;

import static io.resilienceproxy.resilience.RetryDecider.NO_RETRY_AFTER;
import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.outcome.AttemptOutcome;
import io.resilienceproxy.outcome.Delivery;
import io.resilienceproxy.outcome.FailureKind;
import io.resilienceproxy.outcome.Rejection;
import io.resilienceproxy.policy.Mode;
import io.resilienceproxy.policy.RetryPolicy;
import io.resilienceproxy.policy.RetryPolicy.BudgetPolicy;
import io.resilienceproxy.policy.RetryPolicy.RetryOn;
import io.resilienceproxy.policy.StatusSet;
import io.resilienceproxy.resilience.RetryDecision.Retry;
import io.resilienceproxy.resilience.RetryDecision.Stop;
import java.time.Duration;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryDeciderTest {

    private static final Duration CONNECT = Duration.ofMillis(500);
    private static final long PLENTY = Duration.ofSeconds(60).toNanos();
    private static final RetryOn EVERYTHING = new RetryOn(true, true, true, StatusSet.SERVER_ERRORS.plus(429));
    private static final RetryOn NOTHING = new RetryOn(false, false, false, StatusSet.NONE);
    private static final AttemptOutcome UNAVAILABLE = AttemptOutcome.response(503);

    private final RetryBudget budget = new RetryBudget(BudgetPolicy.DEFAULT);

    /** What is asked of the decider; by default, everything speaks for a retry. */
    private int attempt = 1;

    private AttemptOutcome outcome = UNAVAILABLE;
    private boolean repeatable = true;
    private boolean bodyWhole = true;
    private @Nullable Stop otherLayer;
    private boolean circuitRefuses;
    private long retryAfter = NO_RETRY_AFTER;
    private long remaining = PLENTY;
    private RetryPolicy policy = policy(3, 100, 2, 5_000, EVERYTHING);
    private Mode mode = Mode.ENFORCE;
    private LongUnaryOperator jitter = ceiling -> ceiling;

    @Test
    void retriesWhenEverythingSpeaksForItAndTakesAToken() {
        assertThat(decide()).isEqualTo(new Retry(RetryReason.STATUS, millis(100)));
        assertThat(budget.balanceThousandths()).isEqualTo(4_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 204, 301, 400, 401, 404, 408, 499})
    void doesNotRetryAnAnswerThatIsNotListed(int status) {
        outcome = AttemptOutcome.response(status);
        assertStop(Stop.NOT_RETRYABLE);
    }

    @Test
    void takesANumberThatIsNoStatusForAServerError() {
        outcome = AttemptOutcome.response(999);
        assertThat(decide()).isInstanceOf(Retry.class);
    }

    @ParameterizedTest
    @CsvSource({
        "CONNECTION_REFUSED, CONNECT_FAILURE",
        "CONNECT_TIMEOUT, CONNECT_FAILURE",
        "DNS_ERROR, CONNECT_FAILURE",
        "RESET, RESET",
        "READ_TIMEOUT, TIMEOUT",
        "CALL_TIMEOUT, TIMEOUT"
    })
    void namesWhatARetryAnswers(FailureKind kind, RetryReason reason) {
        outcome = AttemptOutcome.failure(kind, Delivery.UNKNOWN);
        assertThat(decide()).isEqualTo(new Retry(reason, millis(100)));
    }

    @ParameterizedTest
    @EnumSource(FailureKind.class)
    void retriesNoFailureThatThePolicyDoesNotName(FailureKind kind) {
        policy = policy(3, 100, 2, 5_000, NOTHING);
        outcome = AttemptOutcome.failure(kind, Delivery.NOT_SENT);
        assertStop(Stop.NOT_RETRYABLE);
    }

    @ParameterizedTest
    @EnumSource(
            value = FailureKind.class,
            names = {"MALFORMED_RESPONSE", "TRUNCATED_RESPONSE"})
    void neverRetriesABrokenResponse(FailureKind kind) {
        for (Delivery delivery : Delivery.values()) {
            outcome = AttemptOutcome.failure(kind, delivery);
            assertStop(Stop.NOT_RETRYABLE);
        }
    }

    @ParameterizedTest
    @EnumSource(Rejection.class)
    void neverRetriesItsOwnRefusals(Rejection rejection) {
        outcome = AttemptOutcome.rejected(rejection);
        assertStop(Stop.NOT_RETRYABLE);
    }

    @Test
    void neverRetriesForACallerWhoLeft() {
        outcome = AttemptOutcome.abandoned();
        assertStop(Stop.NOT_RETRYABLE);
    }

    @Test
    void stopsBehindTheLastAttempt() {
        attempt = 2;
        assertThat(decide()).isInstanceOf(Retry.class);
        attempt = 3;
        assertStop(Stop.ATTEMPTS_EXHAUSTED);
    }

    @ParameterizedTest
    @EnumSource(
            value = Stop.class,
            names = {"RETRIED_ABOVE", "REFUSED_BELOW"})
    void leavesTheRetryToAnotherLayer(Stop layer) {
        otherLayer = layer;
        assertStop(layer);
        outcome = AttemptOutcome.failure(FailureKind.CONNECTION_REFUSED, Delivery.NOT_SENT);
        assertStop(layer);
        outcome = AttemptOutcome.response(200);
        assertStop(Stop.NOT_RETRYABLE);
    }

    @Test
    void neverRetriesWithASingleAttempt() {
        policy = policy(1, 100, 2, 5_000, EVERYTHING);
        assertStop(Stop.ATTEMPTS_EXHAUSTED);
    }

    @Test
    void repeatsAnUnlistedMethodOnlyIfNothingWasSent() {
        repeatable = false;
        assertStop(Stop.NOT_REPLAYABLE);
        outcome = AttemptOutcome.failure(FailureKind.RESET, Delivery.UNKNOWN);
        assertStop(Stop.NOT_REPLAYABLE);
        outcome = AttemptOutcome.failure(FailureKind.RESET, Delivery.NOT_SENT);
        assertThat(decide()).isInstanceOf(Retry.class);
    }

    @Test
    void repeatsNothingWhoseBodyIsGone() {
        bodyWhole = false;
        assertStop(Stop.NOT_REPLAYABLE);
        outcome = AttemptOutcome.failure(FailureKind.CONNECTION_REFUSED, Delivery.NOT_SENT);
        assertStop(Stop.NOT_REPLAYABLE);
    }

    @Test
    void stopsAtAnOpenBreaker() {
        circuitRefuses = true;
        assertStop(Stop.CIRCUIT_OPEN);
    }

    @Test
    void stopsWhenThePauseAndAConnectDoNotFitTheDeadline() {
        remaining = millis(600);
        assertThat(decide()).isInstanceOf(Retry.class);
        remaining = millis(600) - 1;
        assertStop(Stop.DEADLINE);
        remaining = -1;
        assertStop(Stop.DEADLINE);
    }

    @Test
    void stopsWhenTheBudgetIsSpent() {
        for (int i = 0; i < 5; i++) {
            assertThat(decide()).isInstanceOf(Retry.class);
        }
        assertStop(Stop.BUDGET_EXHAUSTED);
    }

    /** Each step mends what the one before it named; nothing is spent until nothing is left to mend. */
    @Test
    void namesTheFirstObstacleAndSpendsNothingOnIt() {
        outcome = AttemptOutcome.response(404);
        attempt = 3;
        repeatable = false;
        circuitRefuses = true;
        remaining = 0;
        assertStop(Stop.NOT_RETRYABLE);
        outcome = UNAVAILABLE;
        assertStop(Stop.ATTEMPTS_EXHAUSTED);
        attempt = 2;
        assertStop(Stop.NOT_REPLAYABLE);
        repeatable = true;
        assertStop(Stop.CIRCUIT_OPEN);
        circuitRefuses = false;
        assertStop(Stop.DEADLINE);
        remaining = PLENTY;
        assertThat(decide()).isInstanceOf(Retry.class);
    }

    @Test
    void growsTheCeilingsOfThePausesUpToTheHighest() {
        policy = policy(5, 100, 3, 1_000, EVERYTHING);
        long[] ceilings = new long[4];
        for (attempt = 1; attempt < 5; attempt++) {
            ceilings[attempt - 1] = delay();
        }
        assertThat(ceilings).containsExactly(millis(100), millis(300), millis(900), millis(1_000));
    }

    @Test
    void drawsThePauseFromZeroToTheCeiling() {
        long[] asked = new long[1];
        jitter = ceiling -> {
            asked[0] = ceiling;
            return 0;
        };
        assertThat(delay()).isZero();
        assertThat(asked[0]).isEqualTo(millis(100));
    }

    @ParameterizedTest
    @CsvSource({"0, 5000", "100, 0", "0, 0"})
    void pausesNotAtAllWhenThePolicySaysZero(long wait, long highest) {
        policy = policy(3, wait, 2, highest, EVERYTHING);
        jitter = ceiling -> {
            throw new AssertionError("nothing to draw");
        };
        assertThat(delay()).isZero();
    }

    @Test
    void keepsPausesBelowAMillisecond() {
        policy = new RetryPolicy(
                3,
                Duration.ofNanos(1_500),
                1.5,
                Duration.ofMillis(1),
                EVERYTHING,
                Set.of(),
                "K",
                0,
                BudgetPolicy.DEFAULT);
        attempt = 2;
        assertThat(delay()).isEqualTo(2_250);
    }

    @Test
    void cutsAFirstPauseThatIsAboveTheHighest() {
        policy = policy(3, 1_000, 2, 50, EVERYTHING);
        assertThat(delay()).isEqualTo(millis(50));
    }

    @Test
    void takesRetryAfterForThePause() {
        jitter = ceiling -> {
            throw new AssertionError("the upstream has said when");
        };
        retryAfter = Duration.ofSeconds(7).toNanos();
        assertThat(delay()).isEqualTo(retryAfter);
        retryAfter = 0;
        assertThat(delay()).isZero();
    }

    @Test
    void doesNotRetryWhenRetryAfterIsBeyondTheDeadline() {
        retryAfter = Duration.ofSeconds(7).toNanos();
        remaining = retryAfter + CONNECT.toNanos() - 1;
        assertStop(Stop.DEADLINE);
        retryAfter = Long.MAX_VALUE;
        assertStop(Stop.DEADLINE);
    }

    private static RetryPolicy policy(int attempts, long wait, double multiplier, long highest, RetryOn on) {
        return new RetryPolicy(
                attempts,
                Duration.ofMillis(wait),
                multiplier,
                Duration.ofMillis(highest),
                on,
                Set.of("GET"),
                "Idempotency-Key",
                1024,
                BudgetPolicy.DEFAULT);
    }

    @Test
    void observedProtectionsForbidNothingAndSayWhatTheyWouldHave() {
        mode = Mode.OBSERVE;
        circuitRefuses = true;
        assertThat(decide()).isEqualTo(new Retry(RetryReason.STATUS, millis(100), Stop.CIRCUIT_OPEN));
        assertThat(budget.balanceThousandths())
                .as("a retry that would not have been costs nothing")
                .isEqualTo(5_000);
        circuitRefuses = false;
        for (int tokens = 5; tokens > 0; tokens--) {
            assertThat(decide()).isEqualTo(new Retry(RetryReason.STATUS, millis(100)));
        }
        assertThat(decide()).isEqualTo(new Retry(RetryReason.STATUS, millis(100), Stop.BUDGET_EXHAUSTED));
        attempt = 3;
        assertStop(Stop.ATTEMPTS_EXHAUSTED);
    }

    private RetryDecision decide() {
        return new RetryDecider(policy, CONNECT, budget, mode, jitter)
                .decide(attempt, outcome, repeatable, bodyWhole, otherLayer, circuitRefuses, retryAfter, remaining);
    }

    private long delay() {
        RetryDecision decision = decide();
        assertThat(decision).isInstanceOf(Retry.class);
        return ((Retry) decision).delayNanos();
    }

    private void assertStop(Stop stop) {
        int before = budget.balanceThousandths();
        assertThat(decide()).isEqualTo(stop);
        assertThat(budget.balanceThousandths()).isEqualTo(before);
    }

    private static long millis(long millis) {
        return Duration.ofMillis(millis).toNanos();
    }
}
