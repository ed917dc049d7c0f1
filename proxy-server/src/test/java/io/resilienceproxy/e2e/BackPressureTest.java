package io.resilienceproxy.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.resilienceproxy.testkit.RawClient;
import io.resilienceproxy.testkit.ScriptedUpstream;
import io.resilienceproxy.testkit.TestProxy;
import io.resilienceproxy.time.Clock;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who does not read stops who sends, and nothing piles up in between. */
@Timeout(120)
class BackPressureTest {

    private static final int TOTAL = 96 << 20;
    private static final long MOST_HELD = 16 << 20;
    private static final String PATIENT = "timeouts: {connect: 1s, read: 30s, call: 100s}";

    /** Buffer memory that Netty holds, in use or in reserve. */
    private static long held() {
        var metric = ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric();
        return metric.usedDirectMemory() + metric.usedHeapMemory();
    }

    /** Bytes that no other place of the stream has. */
    private static void fill(byte[] buffer, long offset) {
        for (int i = 0; i < buffer.length; i += 8) {
            long word = (offset + i) * 0x9E3779B97F4A7C15L;
            for (int j = 0; j < 8; j++) {
                buffer[i + j] = (byte) (word >>> 8 * j);
            }
        }
    }

    private static long expectedSum() {
        CRC32C sum = new CRC32C();
        byte[] buffer = new byte[64 * 1024];
        for (long offset = 0; offset < TOTAL; offset += buffer.length) {
            fill(buffer, offset);
            sum.update(buffer);
        }
        return sum.getValue();
    }

    private static void send(OutputStream out, AtomicLong sent) throws IOException {
        byte[] buffer = new byte[64 * 1024];
        while (sent.get() < TOTAL) {
            fill(buffer, sent.get());
            out.write(buffer);
            sent.addAndGet(buffer.length);
        }
    }

    private static long sumOf(InputStream in) throws IOException {
        CRC32C sum = new CRC32C();
        byte[] buffer = new byte[64 * 1024];
        for (long left = TOTAL; left > 0; ) {
            int n = in.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (n < 0) {
                throw new IOException(left + " bytes are missing");
            }
            sum.update(buffer, 0, n);
            left -= n;
        }
        return sum.getValue();
    }

    private static void skipHead(InputStream in) throws IOException {
        for (int state = 0; state < 4; ) {
            int octet = in.read();
            if (octet < 0) {
                throw new IOException("no head");
            }
            state = octet == (state % 2 == 0 ? '\r' : '\n') ? state + 1 : 0;
        }
    }

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(64 * 1024);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }

    private static ServerSocket listen() throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setReceiveBufferSize(64 * 1024);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return socket;
    }

    /** Waits until the sender makes no more progress, and says how far it came. */
    private static long awaitStall(AtomicLong sent) {
        AtomicLong before = new AtomicLong(-1);
        await().pollInterval(Duration.ofMillis(500))
                .atMost(Duration.ofSeconds(30))
                .until(() -> before.getAndSet(sent.get()) == sent.get() && sent.get() > 0);
        return sent.get();
    }

    @Test
    void aDownloadWaitsForACallerThatReadsNothing() throws Exception {
        AtomicLong sent = new AtomicLong();
        try (ServerSocket upstream = listen();
                TestProxy proxy = TestProxy.of(upstream.getLocalPort(), PATIENT);
                Socket caller = connect(proxy.port())) {
            CompletableFuture<Void> serving = CompletableFuture.runAsync(() -> {
                try (Socket socket = upstream.accept()) {
                    skipHead(socket.getInputStream());
                    socket.getOutputStream().write(ascii("HTTP/1.1 200 OK\r\nContent-Length: " + TOTAL + "\r\n\r\n"));
                    send(socket.getOutputStream(), sent);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            long heldBefore = held();
            caller.getOutputStream().write(ascii("GET /up/ HTTP/1.1\r\nHost: localhost\r\n\r\n"));

            assertThat(awaitStall(sent)).isLessThan(TOTAL / 2);
            assertThat(held() - heldBefore).isLessThan(MOST_HELD);
            skipHead(caller.getInputStream());
            assertThat(sumOf(caller.getInputStream())).isEqualTo(expectedSum());
            assertThat(held() - heldBefore).isLessThan(MOST_HELD);
            serving.join();
        }
    }

    @Test
    void anUploadWaitsForAnUpstreamThatDoesNotRead() throws Exception {
        AtomicLong sent = new AtomicLong();
        CountDownLatch read = new CountDownLatch(1);
        try (ServerSocket upstream = listen();
                TestProxy proxy = TestProxy.of(upstream.getLocalPort(), PATIENT);
                Socket caller = connect(proxy.port())) {
            CompletableFuture<Long> serving = CompletableFuture.supplyAsync(() -> {
                try (Socket socket = upstream.accept()) {
                    skipHead(socket.getInputStream());
                    read.await();
                    long sum = sumOf(socket.getInputStream());
                    socket.getOutputStream().write(ascii("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
                    return sum;
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            long heldBefore = held();
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
                try {
                    caller.getOutputStream()
                            .write(ascii(
                                    "POST /up/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + TOTAL + "\r\n\r\n"));
                    send(caller.getOutputStream(), sent);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });

            assertThat(awaitStall(sent)).isLessThan(TOTAL / 2);
            assertThat(held() - heldBefore).isLessThan(MOST_HELD);
            read.countDown();
            sending.join();
            skipHead(caller.getInputStream());
            assertThat(held() - heldBefore).isLessThan(MOST_HELD);
            assertThat(serving.join()).isEqualTo(expectedSum());
        }
    }

    /** Its silence is the read timeout's: an upstream that takes nothing is as dead as one that says nothing. */
    @Test
    void anUpstreamThatStopsReadingForGoodRunsIntoTheReadTimeout() {
        try (ScriptedUpstream upstream = ScriptedUpstream.startAtHead(
                        (request, reply) -> reply.pauseReading().hold(), 16 * 1024);
                TestProxy proxy = TestProxy.of(upstream.port(), "timeouts: {connect: 100ms, read: 1s, call: 60s}");
                RawClient client = proxy.connect().patience(Duration.ofSeconds(20))) {
            Thread sender = new Thread(() -> {
                try {
                    client.send("POST /up/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + TOTAL + "\r\n\r\n")
                            .send(new byte[TOTAL]);
                } catch (UncheckedIOException cutOff) {
                    return;
                }
            });
            sender.setDaemon(true);
            sender.start();

            Problem problem = Problem.of(client.readFinalResponse("POST"));
            assertThat(problem.reason()).isEqualTo("read-timeout");
            assertThat(problem.outcome()).isEqualTo("unknown");
            assertThat(problem.response().field("Connection")).isEqualTo("close");
        }
    }

    /** A caller that never takes its answer is not the upstream's fault, and does not hold a permit beyond its deadline. */
    @Test
    void aCallerThatStopsReadingForGoodIsCutOffAtItsDeadline() throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.start((request, reply) -> {
                    reply.startRaw(200, "Content-Length: " + TOTAL);
                    byte[] piece = new byte[64 * 1024];
                    for (int i = 0; i < TOTAL; i += piece.length) {
                        reply.raw(piece);
                    }
                });
                TestProxy proxy = TestProxy.of(upstream.port(), "timeouts: {connect: 100ms, read: 300ms, call: 2s}");
                Socket caller = connect(proxy.port())) {
            long start = Clock.SYSTEM.nanoTime();
            caller.getOutputStream().write(ascii("GET /up/ HTTP/1.1\r\nHost: localhost\r\n\r\n"));
            upstream.awaitRequest();
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> proxy.proxy().server().quietNanos() > 0);

            assertThat(Duration.ofNanos(Clock.SYSTEM.nanoTime() - start)).isGreaterThan(Duration.ofMillis(1900));
            assertThat(proxy.upstream("up").breaker().delegate().getMetrics().getNumberOfFailedCalls())
                    .isZero();
            proxy.awaitNothingHeld();
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
