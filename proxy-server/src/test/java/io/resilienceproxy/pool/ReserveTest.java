package io.resilienceproxy.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.policy.PoolPolicy;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How often connections in reserve are asked for; time is moved. */
class ReserveTest {

    private static final String ADDRESS = "192.0.2.1";
    private static final int MIN_IDLE = 8;
    private static final PoolPolicy POLICY = policy(MIN_IDLE);

    private final PoolFixture fixture = new PoolFixture();

    private static PoolPolicy policy(int minIdle) {
        return new PoolPolicy(20, Duration.ofMinutes(5), Duration.ofMinutes(30), minIdle);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /** Eight that fail together are one failure: an upstream that restarts has its reserve back a second later. */
    @Test
    void aShortOutageCostsAShortPauseHoweverManyAreMissing() {
        ConnectionPool pool = fixture.open(ADDRESS, POLICY);
        assertThat(fixture.dialled()).isEqualTo(MIN_IDLE);

        fixture.listen(ADDRESS);
        fixture.pass(Duration.ofMillis(1100));

        assertThat(pool.idle()).isEqualTo(MIN_IDLE);
    }

    @Test
    void anOutageThatLastsIsAskedAboutMoreAndMoreRarely() {
        fixture.open(ADDRESS, POLICY);

        fixture.pass(Duration.ofMinutes(2));

        assertThat(fixture.dialled() / MIN_IDLE).as("rounds").isBetween(5, 9);
    }

    /** A balancer without a server behind it: accepts, and hangs up. */
    @ParameterizedTest
    @ValueSource(ints = {1, MIN_IDLE})
    void anUpstreamThatAcceptsAndHangsUpIsAskedMoreAndMoreRarely(int minIdle) {
        fixture.listen(ADDRESS);
        fixture.open(ADDRESS, policy(minIdle));

        for (int i = 0; i < 1200; i++) {
            fixture.hangUp();
            fixture.pass(Duration.ofMillis(100));
        }

        assertThat(fixture.dialled() / minIdle).as("rounds").isBetween(5, 9);
    }

    @Test
    void afterAGoodTimeTheFirstPauseIsShortAgain() {
        fixture.listen(ADDRESS);
        ConnectionPool pool = fixture.open(ADDRESS, POLICY);
        for (int i = 0; i < 300; i++) {
            fixture.hangUp();
            fixture.pass(Duration.ofMillis(100));
        }
        fixture.pass(Duration.ofMinutes(1));
        assertThat(pool.idle()).isEqualTo(MIN_IDLE);
        fixture.refuse(ADDRESS);
        fixture.hangUp();
        assertThat(pool.idle()).isZero();

        fixture.listen(ADDRESS);
        fixture.pass(Duration.ofMillis(1100));

        assertThat(pool.idle()).isEqualTo(MIN_IDLE);
    }
}
