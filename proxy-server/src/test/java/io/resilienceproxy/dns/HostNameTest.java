package io.resilienceproxy.dns;

import static io.resilienceproxy.dns.AddressOrderTest.addresses;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.resilienceproxy.time.Clock;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a name is looked up and what of an answer is kept; time is moved. */
class HostNameTest {

    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedChannel channel =
            EmbeddedChannel.builder().ticker(ticker).build();
    private final Clock clock = new Clock() {
        @Override
        public long nanoTime() {
            return ticker.nanoTime();
        }

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }
    };
    private final FakeLookup ipv6 = new FakeLookup();
    private final FakeLookup ipv4 = new FakeLookup();
    private final List<List<InetAddress>> answers = new ArrayList<>();
    private int withoutAnswer;
    private final HostName name = new HostName(
            channel.eventLoop(), clock, ipv6, ipv4, new AddressOrder(address -> true), new HostName.Listener() {
                @Override
                public void onAnswer(List<InetAddress> addresses) {
                    answers.add(addresses);
                }

                @Override
                public void onNoAnswer() {
                    withoutAnswer++;
                }
            });

    private static final class FakeLookup implements Lookup {
        private int started;
        private boolean closed;
        private @Nullable Consumer<Found> told;

        private @Nullable Found atOnce;

        @Override
        public void start(Consumer<Found> whoAsks) {
            assertThat(told).as("asked twice at once").isNull();
            told = whoAsks;
            started++;
            if (atOnce != null) {
                find(atOnce);
            }
        }

        void find(Found found) {
            Consumer<Found> asked = told;
            told = null;
            asked.accept(found);
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private static Found found(long ttlSeconds, String... texts) {
        return Found.addresses(addresses(texts), ttlSeconds);
    }

    private void use() {
        name.refreshIfDue(clock.nanoTime());
        channel.runPendingTasks();
    }

    private void pass(Duration duration) {
        ticker.advance(duration.toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
    }

    private void nameHas(long ttlSeconds, String... texts) {
        use();
        ipv6.find(Found.NONE);
        ipv4.find(found(ttlSeconds, texts));
    }

    @Test
    void isNotLookedUpUnlessSomebodyUsesIt() {
        pass(Duration.ofHours(1));

        assertThat(ipv4.started).isZero();
    }

    @Test
    void isLookedUpOnceHoweverManyUseItMeanwhile() {
        use();
        use();
        use();

        assertThat(ipv4.started).isEqualTo(1);
        assertThat(ipv6.started).isEqualTo(1);
        assertThat(name.isLookingUp()).isTrue();
    }

    @Test
    void anAnswerHoldsForItsTtlAndNotLonger() {
        nameHas(60, "192.0.2.1");
        pass(Duration.ofSeconds(60).minusNanos(1));
        use();
        assertThat(ipv4.started).isEqualTo(1);

        pass(Duration.ofNanos(1));
        use();

        assertThat(ipv4.started).isEqualTo(2);
        assertThat(answers).containsExactly(addresses("192.0.2.1"));
    }

    @Test
    void theShorterTtlOfTheFamiliesHolds() {
        use();
        ipv6.find(found(10, "2001:db8::1"));
        ipv4.find(found(60, "192.0.2.1"));
        pass(Duration.ofSeconds(10));
        use();

        assertThat(ipv4.started).isEqualTo(2);
        assertThat(answers).containsExactly(addresses("2001:db8::1", "192.0.2.1"));
    }

    @Test
    void aTtlOfNothingIsOneOfTheShortest() {
        nameHas(0, "192.0.2.1");
        pass(HostName.SHORTEST_TTL.minusNanos(1));
        use();
        assertThat(ipv4.started).isEqualTo(1);

        pass(Duration.ofNanos(1));
        use();
        assertThat(ipv4.started).isEqualTo(2);
    }

    @Test
    void aTtlOfYearsIsOneOfTheLongest() {
        nameHas(Integer.MAX_VALUE, "192.0.2.1");
        pass(HostName.LONGEST_TTL);
        use();

        assertThat(ipv4.started).isEqualTo(2);
    }

    @Test
    void theLastGoodAnswerHoldsWhenTheServersFailOrHaveNone() {
        nameHas(1, "192.0.2.1");
        for (Found nothing : List.of(Found.FAILED, Found.NONE)) {
            pass(HostName.LONGEST_PAUSE);
            use();
            ipv6.find(Found.NONE);
            ipv4.find(nothing);
        }

        assertThat(withoutAnswer).isEqualTo(2);
        assertThat(answers).containsExactly(addresses("192.0.2.1"));
    }

    @Test
    void asksAgainBehindPausesThatDoubleUpToABound() {
        List<Long> pauses = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            use();
            ipv6.find(Found.FAILED);
            ipv4.find(Found.FAILED);
            long start = clock.nanoTime();
            while (!name.isLookingUp()) {
                pass(Duration.ofSeconds(1));
                use();
            }
            pauses.add(Duration.ofNanos(clock.nanoTime() - start).toSeconds());
        }

        assertThat(pauses).containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L, 30L);
    }

    @Test
    void anAnswerEndsTheDoubling() {
        for (int i = 0; i < 3; i++) {
            pass(HostName.LONGEST_PAUSE);
            use();
            ipv6.find(Found.FAILED);
            ipv4.find(Found.FAILED);
        }
        pass(HostName.LONGEST_PAUSE);
        nameHas(1, "192.0.2.1");
        pass(Duration.ofSeconds(1));
        use();
        ipv6.find(Found.FAILED);
        ipv4.find(Found.FAILED);
        pass(HostName.FIRST_PAUSE);
        use();

        assertThat(name.isLookingUp()).isTrue();
    }

    /** Some servers never answer the question for IPv6. */
    @Test
    void aFamilyThatDoesNotAnswerIsNotWaitedForLong() {
        use();
        ipv4.find(found(60, "192.0.2.1"));
        assertThat(answers).isEmpty();

        pass(HostName.FAMILY_PATIENCE);

        assertThat(answers).containsExactly(addresses("192.0.2.1"));
        assertThat(name.isLookingUp()).isFalse();
    }

    @Test
    void whatAFamilySaysLateIsAdded() {
        use();
        ipv4.find(found(60, "192.0.2.1"));
        pass(HostName.FAMILY_PATIENCE);
        ipv6.find(found(60, "2001:db8::1"));

        assertThat(answers).last().isEqualTo(addresses("2001:db8::1", "192.0.2.1"));
    }

    @Test
    void aFamilyThatHasNotAnsweredYetIsNotAskedAgain() {
        use();
        ipv4.find(found(1, "192.0.2.1"));
        pass(HostName.FAMILY_PATIENCE);
        pass(Duration.ofSeconds(1));
        use();
        ipv4.find(found(1, "192.0.2.2"));
        pass(HostName.FAMILY_PATIENCE);

        assertThat(ipv6.started).isEqualTo(1);
        assertThat(answers).last().isEqualTo(addresses("192.0.2.2"));
    }

    @Test
    void aFamilyThatFailsKeepsItsAddressesAndOneThatHasNoneDoesNot() {
        use();
        ipv6.find(found(1, "2001:db8::1"));
        ipv4.find(found(1, "192.0.2.1"));
        pass(Duration.ofSeconds(1));
        use();
        ipv6.find(Found.FAILED);
        ipv4.find(found(1, "192.0.2.2"));
        assertThat(answers).last().isEqualTo(addresses("2001:db8::1", "192.0.2.2"));

        pass(Duration.ofSeconds(1));
        use();
        ipv6.find(Found.NONE);
        ipv4.find(found(1, "192.0.2.2"));
        assertThat(answers).last().isEqualTo(addresses("192.0.2.2"));
    }

    /** As where IPv6 is switched off. */
    @Test
    void aFamilyThatAnswersAtOnceDoesNotEndTheLookUpForTheOther() {
        ipv6.atOnce = Found.NONE;
        use();
        ipv4.find(found(60, "192.0.2.1"));

        assertThat(answers).containsExactly(addresses("192.0.2.1"));
        assertThat(withoutAnswer).isZero();
    }

    @Test
    void isStaleOnceNobodyUsedItForLong() {
        nameHas(1, "192.0.2.1");
        assertThat(name.isStale(clock.nanoTime())).isFalse();

        pass(Duration.ofMinutes(1));

        assertThat(name.isStale(clock.nanoTime())).isTrue();
    }

    @Test
    void isLookedUpNoMoreOnceItIsClosed() {
        name.close();
        channel.runPendingTasks();
        use();

        assertThat(ipv4.started).isZero();
        assertThat(ipv4.closed).isTrue();
        assertThat(ipv6.closed).isTrue();
    }

    /** The answer for IPv6 comes a little later than the one for IPv4, each time. */
    @Test
    void whatAFamilySaysLateIsBelievedToo() {
        use();
        ipv6.find(found(1, "2001:db8::1"));
        ipv4.find(found(60, "192.0.2.1"));
        pass(Duration.ofSeconds(1));
        use();
        ipv4.find(found(60, "192.0.2.1"));
        pass(HostName.FAMILY_PATIENCE);
        ipv6.find(Found.NONE);

        assertThat(answers).last().isEqualTo(addresses("192.0.2.1"));
    }

    @Test
    void theTtlOfALateAnswerCountsToo() {
        use();
        ipv4.find(found(300, "192.0.2.1"));
        pass(HostName.FAMILY_PATIENCE);
        ipv6.find(found(5, "2001:db8::1"));
        pass(Duration.ofSeconds(5));
        use();

        assertThat(ipv6.started).isEqualTo(2);
    }

    /** The addresses of one family may be those that do not work: the other is not left out for a whole TTL. */
    @Test
    void aFamilyThatFailedIsAskedAgainBehindPausesWhateverTheTtlOfTheOther() {
        use();
        ipv4.find(Found.FAILED);
        ipv6.find(found(300, "2001:db8::1"));
        pass(HostName.FIRST_PAUSE);
        use();
        assertThat(ipv4.started).isEqualTo(2);
        ipv6.find(found(300, "2001:db8::1"));
        pass(HostName.FAMILY_PATIENCE);
        ipv4.find(Found.FAILED);
        pass(HostName.FIRST_PAUSE);
        use();
        assertThat(ipv4.started).as("the second pause is longer").isEqualTo(2);
        pass(HostName.FIRST_PAUSE);
        use();
        assertThat(ipv4.started).isEqualTo(3);

        ipv4.find(found(300, "192.0.2.1"));
        ipv6.find(found(300, "2001:db8::1"));
        pass(Duration.ofSeconds(299));
        use();

        assertThat(ipv4.started).isEqualTo(3);
        assertThat(answers).last().isEqualTo(addresses("2001:db8::1", "192.0.2.1"));
    }

    /** A reload ends the pool while requests wait for its name: they began before and get what they wait for. */
    @Test
    void aLookUpThatIsUnderWayWhenItIsClosedIsAnswered() {
        use();
        name.close();
        channel.runPendingTasks();
        assertThat(ipv4.closed).isFalse();

        ipv6.find(Found.NONE);
        ipv4.find(found(60, "192.0.2.1"));

        assertThat(answers).containsExactly(addresses("192.0.2.1"));
        assertThat(name.isLookingUp()).isFalse();
        assertThat(ipv4.closed).isTrue();
        assertThat(ipv6.closed).isTrue();
    }

    /** One family has answered with what held before. */
    @Test
    void whatExpiresDuringALookUpIsLookedUpOnceMore() {
        use();
        ipv4.find(found(300, "192.0.2.1"));
        name.expire();
        channel.runPendingTasks();
        assertThat(ipv4.started).isEqualTo(1);
        ipv6.find(Found.NONE);
        channel.runPendingTasks();
        assertThat(ipv4.started).isEqualTo(2);

        ipv4.find(found(300, "192.0.2.2"));
        ipv6.find(Found.NONE);
        channel.runPendingTasks();

        assertThat(answers).containsExactly(addresses("192.0.2.1"), addresses("192.0.2.2"));
        assertThat(ipv4.started).isEqualTo(2);
    }
}
