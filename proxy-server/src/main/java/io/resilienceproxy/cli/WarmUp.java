package io.resilienceproxy.cli;

import io.resilienceproxy.config.LoadResult;
import io.resilienceproxy.config.PolicyLoader;
import io.resilienceproxy.exchange.Silence;
import io.resilienceproxy.policy.Policy;
import io.resilienceproxy.routing.RouteTable;
import io.resilienceproxy.time.Clock;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plays every kind of answer through a data path of its own, over loopback, to an upstream of its own: so that the first
 * failure of a real upstream does not make the event loop load and the compiler compile what no request had needed before,
 * while healthy exchanges wait. No real upstream hears of it, and no series of the process counts it.
 *
 * <p>Runs once, on a thread that may block, beside a proxy that serves already; takes {@link #MOST_NANOS} at most.
 */
final class WarmUp {

    /** A start must not keep a small share of CPU to itself for longer. */
    static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Enough for the first tier of the compiler; more would cost memory that an idle proxy does not need. */
    private static final int FORWARDED = 100;

    private static final int IN_ONE_BATCH = 20;
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
    private static final String POLICY = "warm-up.yaml";
    private static final String LAST_FIELDS = "Host: localhost\r\nConnection: close\r\n\r\n";

    /** One request for each way that an exchange can end; the order matters to the breaker only. */
    private static final List<String> ONCE = List.of(
            "GET /forward/x?fail-first=1&key=warm-up HTTP/1.1\r\n",
            "GET /forward/x?status=404 HTTP/1.1\r\n",
            "POST /forward/x HTTP/1.1\r\nContent-Length: 4\r\nIdempotency-Key: k\r\n",
            "GET /forward/x?dead HTTP/1.1\r\n",
            "GET /forward/x?hold HTTP/1.1\r\n",
            "GET /forward/x?hold HTTP/1.1\r\nX-Request-Deadline-Ms: 120\r\n",
            "GET /forward/x HTTP/1.1\r\nX-Request-Deadline-Ms: 1\r\n",
            "GET /refused/x HTTP/1.1\r\n",
            "GET /breaker/x?status=500 HTTP/1.1\r\n",
            "GET /breaker/x?status=500 HTTP/1.1\r\n",
            "GET /breaker/x HTTP/1.1\r\n",
            "GET /nowhere HTTP/1.1\r\n",
            "GET /forward/x HTTP/1.1\r\nContent-Length: x\r\n");

    private final Clock clock;
    private final long end;

    private WarmUp(Clock clock, long mostNanos) {
        this.clock = clock;
        this.end = clock.nanoTime() + mostNanos;
    }

    /** Begins on a thread of its own, which ends by itself and does not keep the process alive. */
    static void begin(Clock clock) {
        Thread thread = new Thread(() -> run(clock), "warm-up");
        thread.setDaemon(true);
        thread.start();
    }

    /** What goes wrong here costs a slower first second and nothing else: it is logged, and the proxy goes on. */
    static void run(Clock clock) {
        try {
            play(clock, MOST_NANOS, answer -> {});
        } catch (IOException | RuntimeException e) {
            LOG.warn("warm-up ended early: {}", e.toString());
        }
    }

    private void play(Consumer<String> answers) throws IOException {
        try (DemoUpstream upstream = new DemoUpstream()) {
            Policy policy = policy(upstream.start());
            RouteTable table = RouteTable.from(policy, clock, (name, from, to, failureRate, slowCallRate) -> {});
            try (ProxyServer server = ProxyServer.start(policy, table, Listeners.of(new Silence()), clock)) {
                playTo(server.port(), answers);
            }
        }
    }

    /** @param answers is given each answer to {@link #ONCE}, and the one of the bulkhead */
    static void play(Clock clock, long mostNanos, Consumer<String> answers) throws IOException {
        new WarmUp(clock, mostNanos).play(answers);
    }

    private static Policy policy(int upstreamPort) throws IOException {
        try (InputStream in = WarmUp.class.getResourceAsStream(POLICY)) {
            LoadResult result = new PolicyLoader(name -> "UPSTREAM_PORT".equals(name) ? "" + upstreamPort : null)
                    .parse(POLICY, Objects.requireNonNull(in, POLICY).readAllBytes());
            return Objects.requireNonNull(
                    result.policy(), () -> result.problems().toString());
        }
    }

    private void playTo(int port, Consumer<String> answers) throws IOException {
        for (String once : ONCE) {
            String body = once.startsWith("POST") ? "body" : "";
            answers.accept(LoopbackClient.ask(port, once + LAST_FIELDS + body, millisLeft()));
        }
        Socket holding = LoopbackClient.send(port, "GET /full/x?hold HTTP/1.1\r\n" + LAST_FIELDS, millisLeft());
        try {
            answers.accept(LoopbackClient.ask(port, "GET /full/x HTTP/1.1\r\n" + LAST_FIELDS, millisLeft()));
        } finally {
            holding.close();
        }
        String batch = "GET /forward/x HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(IN_ONE_BATCH - 1);
        for (int sent = 0; sent < FORWARDED && millisLeft() > 1; sent += IN_ONE_BATCH) {
            LoopbackClient.ask(port, batch + "GET /forward/x HTTP/1.1\r\n" + LAST_FIELDS, millisLeft());
        }
    }

    private int millisLeft() throws IOException {
        long left = TimeUnit.NANOSECONDS.toMillis(end - clock.nanoTime());
        if (left <= 0) {
            throw new IOException("out of time");
        }
        return (int) left;
    }
}
