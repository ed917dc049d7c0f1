package io.resilienceproxy.bench;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.AsciiString;
import io.resilienceproxy.exchange.CallerDeadlines;
import io.resilienceproxy.http.HeadWriter;
import io.resilienceproxy.http.RequestHead;
import io.resilienceproxy.http.RequestRewrite;
import io.resilienceproxy.http.ResponseHead;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What is read of a head, and heads written anew for the other side. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HeadBenchmark {

    private static final int PREFIX = 3;

    private final AsciiString deadlineField = AsciiString.cached("X-Request-Deadline-Ms");
    private final RequestRewrite rewrite =
            new RequestRewrite(AsciiString.cached("/base"), AsciiString.cached("u0.test:9000"), deadlineField);
    private final RequestHead request = Heads.get("/u0/v1/orders?id=17");
    private final ResponseHead response = Heads.ok();
    private final ByteBuf out = PooledByteBufAllocator.DEFAULT.directBuffer(1024);

    @TearDown
    public void tearDown() {
        out.release();
    }

    @Benchmark
    public long deadlineParse() {
        return CallerDeadlines.read(request.fields(), deadlineField);
    }

    @Benchmark
    public ByteBuf writeRequest() {
        out.clear();
        HeadWriter.writeRequest(out, request, PREFIX, rewrite, 2900, 1);
        return out;
    }

    @Benchmark
    public ByteBuf writeResponse() {
        out.clear();
        HeadWriter.writeResponse(out, response, response.bodyLength(), HeadWriter.ConnectionOption.NONE, null);
        return out;
    }
}
