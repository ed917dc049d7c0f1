package io.resilienceproxy.load;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.resilienceproxy.loop.Transport;
import io.resilienceproxy.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Puts load on a port of this machine from one event loop and prints what came of it, one JSON object per stream in an array.
 *
 * <p>Arguments: {@code port warmupSeconds measuredSeconds stream...}, a stream as {@link StreamSpec#parse} takes it. In the
 * warm-up the streams run and are not measured.
 */
public final class Generator {

    private static final int ARGUMENTS_BEFORE_STREAMS = 3;
    private static final double NANOS_PER_SECOND = 1e9;

    private final EventLoop loop;
    private final List<LoadStream> streams = new ArrayList<>();
    private final Clock clock = Clock.SYSTEM;
    private long startNanos;
    private long elapsedNanos;

    private Generator(Transport transport, EventLoop loop, int port, List<StreamSpec> specs) {
        this.loop = loop;
        for (StreamSpec spec : specs) {
            streams.add(new LoadStream(
                    spec, loop, handler -> bootstrap(transport, port).handler(handler), clock));
        }
    }

    private Bootstrap bootstrap(Transport transport, int port) {
        return new Bootstrap()
                .group(loop)
                .channel(transport.socketChannel())
                .option(ChannelOption.TCP_NODELAY, true)
                .remoteAddress("127.0.0.1", port);
    }

    public static void main(String[] args) throws InterruptedException {
        Transport transport = Transport.best();
        EventLoopGroup group = transport.newGroup(1, "load");
        List<StreamSpec> specs = Arrays.stream(args)
                .skip(ARGUMENTS_BEFORE_STREAMS)
                .map(StreamSpec::parse)
                .toList();
        Generator generator = new Generator(transport, group.next(), Integer.parseInt(args[0]), specs);
        generator.run(nanos(args[1]), nanos(args[2]));
        System.out.println(generator.report());
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }

    private static long nanos(String seconds) {
        return (long) (Double.parseDouble(seconds) * NANOS_PER_SECOND);
    }

    private void run(long warmupNanos, long measuredNanos) throws InterruptedException {
        loop.execute(() -> streams.forEach(LoadStream::start));
        loop.schedule(this::measure, warmupNanos, TimeUnit.NANOSECONDS).sync();
        loop.schedule(this::stop, measuredNanos, TimeUnit.NANOSECONDS).sync();
    }

    private void measure() {
        startNanos = clock.nanoTime();
        streams.forEach(LoadStream::measure);
    }

    private void stop() {
        elapsedNanos = clock.nanoTime() - startNanos;
        streams.forEach(LoadStream::stop);
    }

    private String report() {
        return streams.stream()
                .map(stream -> stream.tally().toJson(stream.spec(), elapsedNanos))
                .collect(Collectors.joining(",\n", "[", "]"));
    }
}
