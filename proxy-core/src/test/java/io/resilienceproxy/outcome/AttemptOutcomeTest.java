package io.resilienceproxy.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.outcome.AttemptOutcome.Failure;
import io.resilienceproxy.outcome.AttemptOutcome.Rejected;
import io.resilienceproxy.outcome.AttemptOutcome.Response;
import org.junit.jupiter.api.Test;

class AttemptOutcomeTest {

    @Test
    void sharesItsValues() {
        assertThat(AttemptOutcome.response(503))
                .isSameAs(AttemptOutcome.response(503))
                .isEqualTo(new Response(503));
        assertThat(AttemptOutcome.abandoned()).isSameAs(AttemptOutcome.abandoned());
        for (Rejection rejection : Rejection.values()) {
            assertThat(AttemptOutcome.rejected(rejection))
                    .isSameAs(AttemptOutcome.rejected(rejection))
                    .isEqualTo(new Rejected(rejection));
        }
        for (FailureKind kind : FailureKind.values()) {
            for (Delivery delivery : Delivery.values()) {
                assertThat(AttemptOutcome.failure(kind, delivery))
                        .isSameAs(AttemptOutcome.failure(kind, delivery))
                        .isEqualTo(new Failure(kind, delivery));
            }
        }
    }

    @Test
    void holdsWhateverNumberAnUpstreamCallsAStatus() {
        for (int none : new int[] {-1, 0, 600, 999, Integer.MAX_VALUE}) {
            assertThat(AttemptOutcome.response(none)).isEqualTo(new Response(none));
        }
    }

    @Test
    void unknownDeliveryWinsOverSeveralAttempts() {
        assertThat(Delivery.NOT_SENT.or(Delivery.NOT_SENT)).isEqualTo(Delivery.NOT_SENT);
        assertThat(Delivery.NOT_SENT.or(Delivery.UNKNOWN)).isEqualTo(Delivery.UNKNOWN);
        assertThat(Delivery.UNKNOWN.or(Delivery.NOT_SENT)).isEqualTo(Delivery.UNKNOWN);
    }
}
