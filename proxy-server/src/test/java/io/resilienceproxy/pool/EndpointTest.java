package io.resilienceproxy.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.time.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EndpointTest {

    private final ManualClock clock = new ManualClock();
    private final Endpoint endpoint = SomeEndpoints.at("192.0.2.1");

    private boolean isUsable() {
        return endpoint.isUsable(clock.nanoTime());
    }

    private boolean eject() {
        return endpoint.eject(clock.nanoTime());
    }

    private void goThere() {
        endpoint.onUse(clock.nanoTime());
    }

    @Test
    void isUsableUntilItIsEjectedAndAgainWhenThatIsOver() {
        assertThat(isUsable()).isTrue();
        assertThat(eject()).isTrue();
        assertThat(isUsable()).isFalse();

        clock.advance(Endpoint.SHORTEST_EJECTION.minusNanos(1));
        assertThat(isUsable()).isFalse();
        clock.advanceNanos(1);
        assertThat(isUsable()).isTrue();
    }

    @Test
    void isTriedByOneAtATimeBehindAnEjection() {
        eject();
        clock.advance(Endpoint.SHORTEST_EJECTION);
        goThere();
        assertThat(isUsable()).isFalse();

        endpoint.onAnswer();

        assertThat(isUsable()).isTrue();
    }

    @Test
    void aTrialThatComesToNothingDoesNotLockItOut() {
        eject();
        clock.advance(Endpoint.SHORTEST_EJECTION);
        goThere();

        clock.advance(Endpoint.SHORTEST_EJECTION);

        assertThat(isUsable()).isTrue();
    }

    @Test
    void isEjectedForTwiceAsLongEachTimeUpToABound() {
        List<Duration> ejections = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            goThere();
            eject();
            Duration ejected = Duration.ZERO;
            while (!isUsable()) {
                clock.advance(Duration.ofSeconds(1));
                ejected = ejected.plusSeconds(1);
            }
            ejections.add(ejected);
        }

        assertThat(ejections.stream().map(Duration::toSeconds))
                .containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L);
    }

    @Test
    void anAnswerEndsTheDoubling() {
        eject();
        clock.advance(Endpoint.SHORTEST_EJECTION);
        goThere();
        endpoint.onAnswer();
        eject();

        clock.advance(Endpoint.SHORTEST_EJECTION);

        assertThat(isUsable()).isTrue();
    }

    @Test
    void whatFailsAtAboutTheSameTimeEjectsItOnce() {
        assertThat(eject()).isTrue();
        assertThat(eject()).isFalse();

        clock.advance(Endpoint.SHORTEST_EJECTION);

        assertThat(isUsable()).isTrue();
    }

    @Test
    void anAnswerToWhatWasSentBeforeDoesNotEndAnEjection() {
        eject();
        endpoint.onAnswer();

        assertThat(isUsable()).isFalse();
    }

    @Test
    void isNamedAsItStandsInAnUrl() {
        assertThat(endpoint).hasToString("192.0.2.1:80");
        assertThat(SomeEndpoints.at("2001:db8::1")).hasToString("[2001:db8:0:0:0:0:0:1]:80");
        assertThat(endpoint.nextHop().toString()).isEqualTo("; next-hop=\"192.0.2.1:80\"");
    }
}
