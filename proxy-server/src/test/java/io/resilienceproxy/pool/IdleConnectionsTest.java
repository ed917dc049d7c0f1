package io.resilienceproxy.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.policy.PoolPolicy;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How long a connection stays idle; time is moved. */
class IdleConnectionsTest {

    private static final String ADDRESS = "192.0.2.1";
    private static final Duration IDLE = Duration.ofMinutes(5);
    private static final Duration LIFE = Duration.ofMinutes(6);

    private final PoolFixture fixture = new PoolFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    /** A reserve that is asked for late: the one whose life is nearly over comes back last, and has to go first. */
    @Test
    void theOneWhoseTimeIsOverFirstIsClosedFirstWhicheverBecameIdleFirst() {
        fixture.listen(ADDRESS);
        ConnectionPool pool = fixture.open(ADDRESS, new PoolPolicy(20, IDLE, LIFE, 0));
        Http1Connection old = fixture.connect(pool);
        fixture.pass(Duration.ofMinutes(4));
        fixture.connect(pool).rest();
        old.rest();
        assertThat(pool.idle()).isEqualTo(2);

        fixture.pass(Duration.ofMinutes(2).plusSeconds(1));

        assertThat(pool.idle()).isEqualTo(1);
        assertThat(fixture.accepted()).hasSize(1);
    }

    /** The list of those to close may be older than the lease. */
    @Test
    void oneThatIsLeasedIsNotClosedAsIdle() {
        fixture.listen(ADDRESS);
        Http1Connection leased = fixture.connect(fixture.open(ADDRESS, new PoolPolicy(20, IDLE, LIFE, 0)));

        new IdleConnections(new Lanes(bound -> 0), fixture.loop(), fixture.clock).close(leased);
        fixture.run();

        assertThat(fixture.accepted()).hasSize(1);
    }
}
