package io.resilienceproxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.resilienceproxy.config.PolicyLoader;
import io.resilienceproxy.fallback.AnswerStore;
import io.resilienceproxy.http.BodyLength;
import io.resilienceproxy.http.RequestHead;
import io.resilienceproxy.pool.Endpoint;
import io.resilienceproxy.pool.SomeEndpoints;
import io.resilienceproxy.resilience.BreakerState;
import io.resilienceproxy.routing.Route;
import io.resilienceproxy.routing.RouteTable;
import io.resilienceproxy.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * A world in which anything may happen to exchanges, in any order, under one seed: upstreams that answer, refuse, reset,
 * stall and answer late; callers that send slowly, leave and stop reading; time that jumps. Real gates, real exchanges, a
 * moved clock; no sockets.
 */
final class Chaos {

    private static final String POLICY = """
            upstreams:
              up:
                urls: [%s]
                timeouts: {connect: 300ms, read: 700ms, call: 3s}
                deadline: {buffer: 10ms}
                pool: {max-connections: 8}
                bulkhead: {max-concurrent-calls: 4, max-wait-duration: 100ms, max-waiting: 4}
                circuit-breaker:
                  sliding-window-size: 10
                  minimum-number-of-calls: 5
                  failure-rate-threshold: 90
                  wait-duration-in-open-state: 200ms
                  slow-call-duration-threshold: 600ms
                  slow-call-rate-threshold: 90
                retry: {wait-duration: 50ms, max-replay-body: 1KiB, budget: {ratio: 0.5, max-tokens: 20}}
                fallback: {stale-if-error: 1s, max-bytes: 64KiB, response: {body: none}}
            """;

    final Random random;
    final List<FakeExchange> active = new ArrayList<>();
    final List<FakeExchange> all = new ArrayList<>();
    private final Map<RequestHead, FakeExchange> callers = new IdentityHashMap<>();
    final FakeUpstream upstream = new FakeUpstream(this);
    final Route route;
    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedChannel loop =
            EmbeddedChannel.builder().ticker(ticker).build();
    final Clock clock = new Clock() {
        @Override
        public long nanoTime() {
            return ticker.nanoTime();
        }

        @Override
        public Instant now() {
            return Instant.EPOCH.plusNanos(ticker.nanoTime());
        }
    };
    private final List<Endpoint> endpoints = List.of(SomeEndpoints.at("192.0.2.1"), SomeEndpoints.at("192.0.2.2"));
    private final List<ByteBuf> buffers = new ArrayList<>();
    private final RouteBinding binding;
    private final AnswerStore store;
    final CountingListener listener = new CountingListener();
    final Map<BreakerState, Integer> transitions = new EnumMap<>(BreakerState.class);

    /** @param seed with an even one the upstream has two urls */
    Chaos(long seed) {
        this.random = new Random(seed);
        String urls = seed % 2 == 0 ? "http://up.test, http://standby.test" : "http://up.test";
        var policy = new PolicyLoader(name -> null).parse("chaos.yaml", POLICY.formatted(urls));
        assertThat(policy.policy()).as("%s", policy.problems()).isNotNull();
        RouteTable table = RouteTable.from(
                policy.policy(), clock, (name, from, to, failing, slow) -> transitions.merge(to, 1, Integer::sum));
        this.route = table.routes().get(0);
        this.store = new AnswerStore(64 * 1024, Duration.ofSeconds(1), clock, null);
        this.binding = new RouteBinding(route, url -> loopIndex -> upstream, store, listener);
    }

    EmbeddedChannel loop() {
        return loop;
    }

    ByteBuf buffer(int size) {
        ByteBuf buffer = PooledByteBufAllocator.DEFAULT.buffer(size).writeZero(size);
        buffers.add(buffer);
        return buffer;
    }

    Endpoint endpoint() {
        return endpoints.get(random.nextInt(endpoints.size()));
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private void beginAny() {
        HttpHeaders fields = new DefaultHttpHeaders();
        if (chance(30)) {
            fields.set("Idempotency-Key", "k");
        }
        if (chance(20)) {
            fields.set("X-Request-Deadline-Ms", String.valueOf(random.nextInt(2000) - 100));
        }
        if (chance(30)) {
            fields.set("X-Accept-Degraded", "no");
        }
        if (chance(60)) {
            fields.set("Priority", "u=" + random.nextInt(8));
        }
        if (chance(10)) {
            fields.set("X-Attempt", "2");
        }
        begin(chance(50) ? "GET" : "POST", fields);
    }

    private void begin(String method) {
        begin(method, new DefaultHttpHeaders());
    }

    private void begin(String method, HttpHeaders fields) {
        long length = method.equals("GET") ? BodyLength.ABSENT : BodyLength.CHUNKED;
        RequestHead head = new RequestHead(
                method,
                "/" + random.nextInt(4),
                null,
                fields,
                1,
                length,
                true,
                false,
                length == BodyLength.ABSENT && chance(10));
        FakeExchange begun = new FakeExchange(this, head);
        all.add(begun);
        callers.put(head, begun);
        active.add(begun);
        begun.start(new Exchange(binding, head, 0, begun, clock));
    }

    /** One random event, then everything that became due. */
    void step() {
        int what = random.nextInt(100);
        if (what < 15 || active.isEmpty()) {
            beginAny();
            ticker.advance(random.nextInt(20), TimeUnit.MILLISECONDS);
        } else if (what < 45) {
            active.get(random.nextInt(active.size())).callerActs();
        } else if (what < 90) {
            upstream.acts();
        } else {
            pass(random.nextInt(chance(10) ? 1500 : 150));
        }
        settle();
        upstream.assertNothingStuck();
    }

    FakeExchange callerOf(RequestHead head) {
        return callers.get(head);
    }

    void pass(int millis) {
        ticker.advance(millis, TimeUnit.MILLISECONDS);
        settle();
    }

    private void settle() {
        loop.runPendingTasks();
        loop.runScheduledPendingTasks();
        active.removeIf(exchange -> {
            if (exchange.isOver()) {
                exchange.sendsTooLate();
            }
            return exchange.isOver();
        });
    }

    /** No more events from outside: every deadline passes. */
    void runOut() {
        for (int i = 0; i < 100 && !active.isEmpty(); i++) {
            pass(200);
        }
    }

    /** The upstream is well again, for longer than a breaker stays open: nothing may keep calls from flowing. */
    void assertRecovers() {
        upstream.behave();
        pass(400);
        for (int i = 0; i < 20; i++) {
            begin("GET");
            pass(10);
        }
        int answered = listener.endings(Ending.RESPONSE);
        begin("GET");
        pass(10);
        assertThat(route.breaker().state()).isEqualTo(BreakerState.CLOSED);
        assertThat(listener.endings(Ending.RESPONSE)).isEqualTo(answered + 1);
    }

    void assertConserved() {
        assertThat(active).as("exchanges in flight").isEmpty();
        assertThat(route.bulkhead().waiting()).as("waiting").isZero();
        assertThat(route.bulkhead().available())
                .as("permits")
                .isEqualTo(route.bulkhead().limit());
        assertThat(upstream.leased()).as("leased connections").isZero();
        assertThat(upstream.pending()).as("pending connections").isZero();
        assertThat(listener.started()).isEqualTo(all.size());
        assertThat(listener.ended()).isEqualTo(all.size());
        all.forEach(FakeExchange::assertEndedOnce);
        assertThat(buffers).allSatisfy(buffer -> assertThat(buffer.refCnt()).isZero());
        assertThat(store.receivingBytes()).as("bytes of answers being kept").isZero();
        assertThat(store.bytes()).as("bytes of last good answers").isLessThanOrEqualTo(64 * 1024);
        assertThat(route.budget().balanceThousandths())
                .isBetween(0, route.budget().maxThousandths());
    }

    void close() {
        loop.finishAndReleaseAll();
    }
}
