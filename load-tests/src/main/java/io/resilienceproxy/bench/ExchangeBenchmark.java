package io.resilienceproxy.bench;

import io.netty.buffer.ByteBuf;
import io.resilienceproxy.time.Clock;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A whole exchange on embedded channels, which have a cost of their own that is the same for every change of ours. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ExchangeBenchmark {

    private final ByteBuf get = EmbeddedProxy.buffer(
            "GET /u0/small HTTP/1.1\r\nHost: localhost\r\nUser-Agent: load\r\nAccept: */*\r\n\r\n");
    private final ByteBuf post = EmbeddedProxy.buffer(
            "POST /u0/small HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 133\r\n\r\n"
                    + "x".repeat(133));
    private final ByteBuf response = EmbeddedProxy.buffer(
            "HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nDate: Mon, 30 Nov 2026 21:53:11 GMT\r\nContent-Type: text/plain\r\n"
                    + "Content-Length: 133\r\nConnection: keep-alive\r\n\r\n" + "x".repeat(133));
    private @Nullable EmbeddedProxy proxy;
    private @Nullable EmbeddedProxy silent;

    @Setup
    public void setUp() {
        proxy = new EmbeddedProxy(Clock.SYSTEM, true);
        silent = new EmbeddedProxy(Clock.SYSTEM, false);
    }

    @TearDown
    public void tearDown() {
        proxy.close();
        silent.close();
    }

    @Benchmark
    public int get() {
        return proxy.exchange(get, response);
    }

    @Benchmark
    public int post() {
        return proxy.exchange(post, response);
    }

    /** Without metrics and event log. */
    @Benchmark
    public int getUnreported() {
        return silent.exchange(get, response);
    }
}
