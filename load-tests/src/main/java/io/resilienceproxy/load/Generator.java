package io.resilienceproxy.load;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.resilienceproxy.time.Clock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Puts load on ports of this machine from one event loop. It takes a {@link Job} per line on standard input, does one after the
 * other, and prints for each a line with a JSON array of what came of its streams, or a JSON object with an {@code error}. One
 * process does all jobs of a run, so that its code is compiled when it matters. Ends with its input.
 *
 * <p>Arguments: {@code port delaySeconds} of the {@link SlowUpstream}, which it is as well.
 */
public final class Generator {

    // More than connections will be ready at once.
    private static final int MAX_EVENTS = 1024;

    private Generator() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        PrintStream answers = System.out;
        // What a library logs must not stand between the answers.
        System.setOut(System.err);
        Pace pace = new Pace(Clock.SYSTEM);
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("load", true), EpollIoHandler.newFactory(MAX_EVENTS, () -> pace));
        EventLoop loop = group.next();
        SlowUpstream.listen(loop, Integer.parseInt(args[0]), Double.parseDouble(args[1]));
        BufferedReader jobs = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = jobs.readLine(); line != null; line = jobs.readLine()) {
            answers.println(answer(line, loop, pace));
        }
    }

    private static String answer(String line, EventLoop loop, Pace pace) throws InterruptedException {
        Job job;
        try {
            job = Job.parse(line);
        } catch (IllegalArgumentException e) {
            return "{\"error\":\"" + e.getMessage().replace('"', '\'') + "\"}";
        }
        // What is garbage now is not collected while it measures.
        System.gc();
        return new Measurement(job, loop, pace, Clock.SYSTEM).run();
    }
}
