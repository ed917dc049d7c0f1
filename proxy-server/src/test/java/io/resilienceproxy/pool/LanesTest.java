package io.resilienceproxy.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.time.ManualClock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The choice between the endpoints of one url. */
class LanesTest {

    private static final int CHOICES = 10_000;

    private final ManualClock clock = new ManualClock();
    private final Endpoint one = SomeEndpoints.at("192.0.2.1");
    private final Endpoint two = SomeEndpoints.at("192.0.2.2");
    private final Endpoint three = SomeEndpoints.at("192.0.2.3");
    private final Endpoint four = SomeEndpoints.at("192.0.2.4");
    private final Random random = new Random(11);
    private final Lanes lanes = new Lanes(random::nextInt);

    private @Nullable Endpoint choose(@Nullable Tried tried) {
        Lane chosen = lanes.choose(tried, clock.nanoTime());
        return chosen == null ? null : chosen.endpoint;
    }

    private Map<Endpoint, Integer> choices(@Nullable Tried tried, Consumer<Lane> behind) {
        Map<Endpoint, Integer> counts = new HashMap<>();
        for (int i = 0; i < CHOICES; i++) {
            Lane chosen = lanes.choose(tried, clock.nanoTime());
            counts.merge(chosen.endpoint, 1, Integer::sum);
            behind.accept(chosen);
        }
        return counts;
    }

    private static Tried tried(Endpoint... endpoints) {
        Tried tried = new Tried();
        for (Endpoint endpoint : endpoints) {
            tried.add(endpoint);
        }
        return tried;
    }

    private void eject(Endpoint endpoint) {
        endpoint.eject(clock.nanoTime());
    }

    @Test
    void thereIsNoneWhileNoAddressIsKnown() {
        assertThat(choose(null)).isNull();
    }

    @Test
    void aSingleOneIsTakenWhateverBecameOfIt() {
        lanes.follow(List.of(one));
        eject(one);

        assertThat(choose(tried(one))).isSameAs(one);
    }

    @Test
    void idleOnesAreChosenEquallyOften() {
        lanes.follow(List.of(one, two, three, four));

        assertThat(choices(null, lane -> {}).values())
                .hasSize(4)
                .allSatisfy(count -> assertThat(count).isBetween(CHOICES / 4 - 300, CHOICES / 4 + 300));
    }

    /** The two that are looked at differ, so one of them is always better. */
    @Test
    void theOneWithTheMostOutstandingRequestsIsNeverChosen() {
        lanes.follow(List.of(one, two, three, four));
        lanes.choose(tried(two, three, four), clock.nanoTime()).outstanding = 5;

        assertThat(choices(null, lane -> {})).containsOnlyKeys(two, three, four);
    }

    @Test
    void requestsThatStayOutSpreadEvenly() {
        lanes.follow(List.of(one, two, three, four));

        assertThat(choices(null, lane -> lane.outstanding++).values())
                .allSatisfy(count -> assertThat(count).isBetween(CHOICES / 4 - 5, CHOICES / 4 + 5));
    }

    @Test
    void goesWhereTheExchangeHasNotBeen() {
        lanes.follow(List.of(one, two, three));

        assertThat(choices(tried(one, three), lane -> {})).containsOnlyKeys(two);
        assertThat(choices(tried(one, two, three), lane -> {})).containsOnlyKeys(one, two, three);
    }

    @Test
    void passesOverWhatIsEjected() {
        lanes.follow(List.of(one, two, three));
        eject(two);

        assertThat(choices(null, lane -> {})).containsOnlyKeys(one, three);
        clock.advance(Endpoint.SHORTEST_EJECTION);
        assertThat(choices(null, lane -> {})).containsOnlyKeys(one, two, three);
    }

    @Test
    void prefersAnEjectedOneToOneThatThisExchangeHasTried() {
        lanes.follow(List.of(one, two));
        eject(two);

        assertThat(choices(tried(one), lane -> {})).containsOnlyKeys(two);
    }

    @Test
    void takesAnyWhereAllAreEjected() {
        lanes.follow(List.of(one, two));
        eject(one);
        eject(two);

        assertThat(choices(null, lane -> {})).containsOnlyKeys(one, two);
    }

    @Test
    void dialsTheOthersInOrderThoseThatAreEjectedOrTriedLast() {
        lanes.follow(List.of(one, two, three, four));
        eject(three);
        Lane first = lane(one);
        Lane second = lanes.next(List.of(first), tried(two), clock.nanoTime());
        Lane third = lanes.next(List.of(first, second), tried(two), clock.nanoTime());
        Lane fourth = lanes.next(List.of(first, second, third), tried(two), clock.nanoTime());

        assertThat(second.endpoint).isSameAs(four);
        assertThat(List.of(third.endpoint, fourth.endpoint)).containsExactly(two, three);
        assertThat(lanes.next(List.of(first, second, third, fourth), null, clock.nanoTime()))
                .isNull();
    }

    private Lane lane(Endpoint endpoint) {
        Lane lane = lanes.choose(null, clock.nanoTime());
        while (lane.endpoint != endpoint) {
            lane = lanes.choose(null, clock.nanoTime());
        }
        return lane;
    }

    @Test
    void whatStaysInTheAnswerKeepsItsConnectionsAndWhatDoesNotIsGone() {
        lanes.follow(List.of(one, two));
        Lane kept = lane(two);
        Lane dropped = lane(one);

        List<Lane> gone = lanes.follow(List.of(three, two));

        assertThat(gone).containsExactly(dropped);
        assertThat(dropped.present).isFalse();
        assertThat(kept.present).isTrue();
        assertThat(lane(two)).isSameAs(kept);
        assertThat(choices(null, lane -> {})).containsOnlyKeys(two, three);
    }
}
