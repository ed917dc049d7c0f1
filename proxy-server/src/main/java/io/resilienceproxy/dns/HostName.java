package io.resilienceproxy.dns;

import io.netty.channel.EventLoop;
import io.resilienceproxy.time.Clock;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A name whose addresses are looked up again when their time to live is out and somebody uses them: never on the way of a
 * request, never twice at once. The last good answer holds until there is another: a resolver that fails, or answers with
 * no address, changes nothing but when it is asked next.
 *
 * <p>The two address families are asked at the same time. Once one has answered, the other is waited for only for {@link
 * #FAMILY_PATIENCE} (RFC 8305 section 3, there for IPv6 alone); what it says later counts all the same.
 * One that failed is asked again behind the pauses of a failure, however long the answer of the other holds.
 *
 * <p>Answers come on one event loop; {@link #refreshIfDue} and the state may be asked on any thread.
 */
public final class HostName implements AutoCloseable {

    /** An answer holds at least this long, whatever TTL it has: a TTL of 0 must not mean a query per request. */
    public static final Duration SHORTEST_TTL = Duration.ofSeconds(1);

    /** And at most this long. */
    public static final Duration LONGEST_TTL = Duration.ofMinutes(5);

    /** The first pause behind a look-up without an answer; each further one in a row doubles it. */
    public static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

    public static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    static final Duration FAMILY_PATIENCE = Duration.ofMillis(50);

    /** An answer whose time was out for longer than this is not used before a fresh one was waited for. */
    private static final Duration LONGEST_LAG = Duration.ofSeconds(30);

    /** Told on the event loop of the name. */
    public interface Listener {

        /** @param addresses in the order to try them, not empty; may be the same as before */
        void onAnswer(List<InetAddress> addresses);

        /** Neither family has one now; who waits need not wait any longer. */
        void onNoAnswer();
    }

    private final EventLoop loop;
    private final Clock clock;
    private final Family ipv6;
    private final Family ipv4;
    private final AddressOrder order;
    private final Listener listener;
    private final AtomicBoolean lookingUp = new AtomicBoolean();
    private volatile long dueNanos;
    private volatile boolean closed;

    /** Closed, and so are the look-ups. */
    private boolean released;

    private boolean expired;
    private boolean delayed;
    private int round;
    private int failures;

    private static final class Family {
        private final Lookup lookup;
        private List<InetAddress> addresses = List.of();
        private Found last = Found.FAILED;
        private boolean asked;

        Family(Lookup lookup) {
            this.lookup = lookup;
        }
    }

    /** Not looked up before the first {@link #refreshIfDue}. */
    HostName(EventLoop loop, Clock clock, Lookup ipv6, Lookup ipv4, AddressOrder order, Listener listener) {
        this.loop = loop;
        this.clock = clock;
        this.ipv6 = new Family(ipv6);
        this.ipv4 = new Family(ipv4);
        this.order = order;
        this.listener = listener;
        this.dueNanos = clock.nanoTime();
    }

    /** Starts a look-up if it is time for one and none is under way. @param nowNanos of the clock */
    public void refreshIfDue(long nowNanos) {
        if (nowNanos - dueNanos >= 0 && !closed && lookingUp.compareAndSet(false, true)) {
            loop.execute(this::lookUp);
        }
    }

    /** What is known may no longer hold: it is looked up at once, whatever its TTL. On any thread. */
    void expire() {
        loop.execute(() -> {
            expired = true;
            refreshIfExpired();
        });
    }

    /** A look-up that is under way may have begun before: it does not count. */
    private void refreshIfExpired() {
        if (expired && !lookingUp.get()) {
            expired = false;
            dueNanos = clock.nanoTime();
            refreshIfDue(dueNanos);
        }
    }

    boolean isClosed() {
        return closed;
    }

    /** The listener will be told something. */
    public boolean isLookingUp() {
        return lookingUp.get();
    }

    /** Nobody used the name for so long that a fresh answer is worth a short wait. */
    public boolean isStale(long nowNanos) {
        return nowNanos - dueNanos > LONGEST_LAG.toNanos();
    }

    /** One that has not answered the last time yet is not asked twice. */
    private void lookUp() {
        if (released) {
            lookingUp.set(false);
            listener.onNoAnswer();
            return;
        }
        round++;
        delayed = false;
        boolean asksIpv6 = begin(ipv6);
        boolean asksIpv4 = begin(ipv4);
        if (asksIpv6) {
            ipv6.lookup.start(found -> onFound(ipv6, found));
        }
        if (asksIpv4) {
            ipv4.lookup.start(found -> onFound(ipv4, found));
        }
    }

    /** Both, before either can answer: who comes first must see that the other is still to come. */
    private static boolean begin(Family family) {
        boolean asks = !family.asked;
        family.last = Found.FAILED;
        family.asked = true;
        return asks;
    }

    private void onFound(Family family, Found found) {
        family.asked = false;
        family.last = found;
        boolean answered = found.kind() == Found.Kind.ADDRESSES;
        if (answered) {
            family.addresses = found.addresses();
        }
        if (!lookingUp.get()) {
            onLate(family);
        } else if (!ipv6.asked && !ipv4.asked) {
            conclude();
        } else if (answered && !delayed) {
            delayed = true;
            int present = round;
            loop.schedule(
                    () -> {
                        if (round == present && lookingUp.get()) {
                            conclude();
                        }
                    },
                    FAMILY_PATIENCE.toMillis(),
                    TimeUnit.MILLISECONDS);
        }
        if (closed) {
            release();
        }
    }

    /** The other family has answered, and was enough for the time being. */
    private void onLate(Family family) {
        if (hasFailed(family)) {
            holdAtMost(pauseNanos(failures++));
            return;
        }
        failures = 0;
        holdAtMost(ttlNanos());
        boolean gone = !isAnswered(family) && !family.addresses.isEmpty();
        forgetWhatIsGone(family);
        if (gone || isAnswered(family)) {
            publish();
        }
    }

    private void holdAtMost(long nanos) {
        long end = clock.nanoTime() + nanos;
        if (end - dueNanos < 0) {
            dueNanos = end;
        }
    }

    private void conclude() {
        boolean answered = isAnswered(ipv6) || isAnswered(ipv4);
        dueNanos = clock.nanoTime() + (answered ? ttlNanos() : LONGEST_PAUSE.toNanos());
        if (!answered || hasFailed(ipv6) || hasFailed(ipv4)) {
            holdAtMost(pauseNanos(failures++));
        } else if (!ipv6.asked && !ipv4.asked) {
            failures = 0;
        }
        if (answered) {
            forgetWhatIsGone(ipv6);
            forgetWhatIsGone(ipv4);
            publish();
        }
        lookingUp.set(false);
        if (!answered) {
            listener.onNoAnswer();
        }
        refreshIfExpired();
    }

    /** And is not asked still. */
    private static boolean hasFailed(Family family) {
        return !family.asked && family.last.kind() == Found.Kind.FAILED;
    }

    private static boolean isAnswered(Family family) {
        return family.last.kind() == Found.Kind.ADDRESSES;
    }

    /** That a family has no addresses is believed where the other has some. */
    private static void forgetWhatIsGone(Family family) {
        if (family.last.kind() == Found.Kind.NONE) {
            family.addresses = List.of();
        }
    }

    private void publish() {
        listener.onAnswer(order.of(ipv6.addresses, ipv4.addresses));
    }

    private long ttlNanos() {
        long seconds = Math.min(ipv6.last.ttlSeconds(), ipv4.last.ttlSeconds());
        long bounded = Math.max(SHORTEST_TTL.toSeconds(), Math.min(LONGEST_TTL.toSeconds(), seconds));
        return TimeUnit.SECONDS.toNanos(bounded);
    }

    private static long pauseNanos(int failures) {
        int doublings = Math.min(failures, Integer.SIZE - 2);
        return Math.min(LONGEST_PAUSE.toNanos(), FIRST_PAUSE.toNanos() * (1L << doublings));
    }

    /** The last answer stays with whoever has it; a look-up that is under way is answered. On any thread. */
    @Override
    public void close() {
        closed = true;
        loop.execute(this::release);
    }

    private void release() {
        if (!released && !ipv6.asked && !ipv4.asked) {
            released = true;
            ipv6.lookup.close();
            ipv4.lookup.close();
        }
    }
}
