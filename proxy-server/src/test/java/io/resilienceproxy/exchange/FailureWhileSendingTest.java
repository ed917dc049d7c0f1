package io.resilienceproxy.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.resilienceproxy.config.PolicyLoader;
import io.resilienceproxy.http.BodyLength;
import io.resilienceproxy.http.RequestHead;
import io.resilienceproxy.loop.LazyTimer;
import io.resilienceproxy.outcome.FailureKind;
import io.resilienceproxy.pool.Connection;
import io.resilienceproxy.pool.ConnectionSource;
import io.resilienceproxy.pool.ResponseHandler;
import io.resilienceproxy.pool.SomeEndpoints;
import io.resilienceproxy.pool.Tried;
import io.resilienceproxy.routing.RouteTable;
import io.resilienceproxy.time.Clock;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The kernel knows of a reset before the event loop does: then a write fails within the call that makes it. */
class FailureWhileSendingTest {

    private final MockTicker ticker = Ticker.newMockTicker();
    private final EmbeddedChannel loop =
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
    private @Nullable Exchange exchange;
    private final LazyTimer timer = new LazyTimer(
            loop.eventLoop(), clock, () -> Objects.requireNonNull(exchange).onTimer());
    private int asked;

    private Downstream caller() {
        return (Downstream) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Downstream.class},
                (self, method, arguments) -> switch (method.getName()) {
                    case "eventLoop" -> loop.eventLoop();
                    case "loopIndex" -> 0;
                    case "timer" -> timer;
                    case "isDelivering" -> false;
                    case "isWritable" -> true;
                    case "reading", "flush" -> null;
                    default -> throw new AssertionError(method.toString());
                });
    }

    /** Refuses the first byte of the first request; takes that of the second, and says nothing. */
    private Connection connection(boolean refuses) {
        ResponseHandler[] handler = new ResponseHandler[1];
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    switch (method.getName()) {
                        case "endpoint" -> {
                            return SomeEndpoints.at("192.0.2.1");
                        }
                        case "handler" -> handler[0] = (ResponseHandler) arguments[0];
                        case "flush" -> {
                            if (refuses) {
                                handler[0].onFailure(FailureKind.RESET, false);
                            }
                        }
                        case "isWritable" -> {
                            return true;
                        }
                        case "mayHaveSent" -> {
                            return !refuses;
                        }
                        case "isReused" -> {
                            return false;
                        }
                        default -> {}
                    }
                    return null;
                });
    }

    private final ConnectionSource source = new ConnectionSource() {
        @Override
        public @Nullable PendingConnection acquire(Listener listener, @Nullable Tried tried) {
            asked++;
            listener.onConnected(connection(asked == 1));
            return null;
        }

        @Override
        public @Nullable PendingConnection connect(Listener listener, @Nullable Tried tried) {
            return acquire(listener, tried);
        }
    };

    @Test
    void thePauseBeforeTheNextAttemptIsNotProlongedToTheReadTimeout() {
        var policy = new PolicyLoader(name -> null)
                .parse("test.yaml", "upstreams: {up: {url: 'http://up.test', retry: {wait-duration: 100ms}}}");
        RouteTable table =
                RouteTable.from(Objects.requireNonNull(policy.policy()), clock, (name, from, to, failing, slow) -> {});
        RouteBinding binding = new RouteBinding(table.routes().get(0), url -> loopIndex -> source, null, new Silence());
        RequestHead head =
                new RequestHead("GET", "/", null, new DefaultHttpHeaders(), 1, BodyLength.ABSENT, true, false, false);
        Exchange begun = new Exchange(binding, head, 0, caller(), clock);
        exchange = begun;

        begun.start();
        assertThat(asked).isOne();
        ticker.advance(101, TimeUnit.MILLISECONDS);
        loop.runScheduledPendingTasks();

        assertThat(asked).isEqualTo(2);
        begun.onCallerLeft();
        loop.finishAndReleaseAll();
    }
}
