package io.resilienceproxy.load;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollSocketChannel;
import io.resilienceproxy.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** One job being done. */
final class Measurement {

    private final Job job;
    private final EventLoop loop;
    private final Pace pace;
    private final Clock clock;
    private final List<LoadStream> streams = new ArrayList<>();
    private long startNanos;
    private long idleBefore;
    private long elapsedNanos;
    private long idleNanos;

    Measurement(Job job, EventLoop loop, Pace pace, Clock clock) {
        this.job = job;
        this.loop = loop;
        this.pace = pace;
        this.clock = clock;
        for (StreamSpec spec : job.streams()) {
            streams.add(
                    new LoadStream(spec, loop, handler -> bootstrap(spec.port()).handler(handler), clock));
        }
    }

    private Bootstrap bootstrap(int port) {
        return new Bootstrap()
                .group(loop)
                .channel(EpollSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .remoteAddress("127.0.0.1", port);
    }

    /**
     * Waits until it is done, so not on the event loop.
     *
     * @return a JSON array in one line
     */
    String run() throws InterruptedException {
        loop.submit(this::start).sync();
        loop.schedule(this::measure, job.warmupNanos(), TimeUnit.NANOSECONDS).sync();
        loop.schedule(this::stop, job.measuredNanos(), TimeUnit.NANOSECONDS).sync();
        double busy = 1 - (double) idleNanos / elapsedNanos;
        return streams.stream()
                .map(stream -> stream.tally().toJson(stream.spec(), elapsedNanos, busy))
                .collect(Collectors.joining(",", "[", "]"));
    }

    private void start() {
        streams.forEach(LoadStream::start);
        pace.start(this::sendWhatIsDue);
    }

    private void measure() {
        startNanos = clock.nanoTime();
        idleBefore = pace.idleNanos();
        streams.forEach(LoadStream::measure);
    }

    private void stop() {
        elapsedNanos = clock.nanoTime() - startNanos;
        idleNanos = pace.idleNanos() - idleBefore;
        pace.stop();
        streams.forEach(LoadStream::stop);
    }

    private boolean sendWhatIsDue(long now) {
        boolean sent = false;
        for (int i = 0; i < streams.size(); i++) {
            sent |= streams.get(i).sendWhatIsDue(now);
        }
        return sent;
    }
}
