package io.resilienceproxy.testkit;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Many keep-alive callers on one event loop of their own: each sends its next GET when it has its answer, until all of
 * them together have sent as many as were asked for. Every answer must be a 200 with the body that is expected.
 */
public final class LoadClient {

    private static final int MOST_FAULTS_KEPT = 20;

    private final byte[] request;
    private final byte[] body;
    private final AtomicInteger toSend;
    private final AtomicInteger good = new AtomicInteger();
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();

    private LoadClient(String target, String expectedBody, int requests) {
        this.request = ("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
        this.body = expectedBody.getBytes(StandardCharsets.US_ASCII);
        this.toSend = new AtomicInteger(requests);
    }

    /**
     * Sends all of them and waits for the answers; blocks.
     *
     * @throws AssertionError where they are not all there in time
     */
    public static LoadClient run(
            int port, int connections, int requests, String target, String expectedBody, Duration patience) {
        LoadClient client = new LoadClient(target, expectedBody, requests);
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        CountDownLatch running = new CountDownLatch(connections);
        try {
            Bootstrap bootstrap = client.bootstrap(group);
            for (int i = 0; i < connections; i++) {
                ChannelFuture connected = bootstrap.connect(InetAddress.getLoopbackAddress(), port);
                connected.addListener(done -> client.fault(done.cause()));
                connected.channel().closeFuture().addListener(closed -> running.countDown());
            }
            if (!running.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new AssertionError(client.good() + " of " + requests + " were answered in " + patience);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
        }
        return client;
    }

    private Bootstrap bootstrap(EventLoopGroup group) {
        return new Bootstrap()
                .group(group)
                .channel(NioSocketChannel.class)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(new HttpResponseDecoder(), new Caller());
                    }
                });
    }

    /** Answers that were as expected. */
    public int good() {
        return good.get();
    }

    /** What went wrong, the first few. */
    public Queue<String> faults() {
        return faults;
    }

    private void fault(Throwable cause) {
        if (cause != null) {
            fault(cause.toString());
        }
    }

    private void fault(String text) {
        if (faults.size() < MOST_FAULTS_KEPT) {
            faults.add(text);
        }
    }

    private final class Caller extends SimpleChannelInboundHandler<HttpObject> {

        private int received;
        private boolean awaiting;
        private boolean asExpected;

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            next(ctx);
        }

        private void next(ChannelHandlerContext ctx) {
            awaiting = toSend.getAndDecrement() > 0;
            if (!awaiting) {
                ctx.close();
                return;
            }
            received = 0;
            ctx.writeAndFlush(Unpooled.wrappedBuffer(request));
        }

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, HttpObject part) {
            if (part instanceof HttpResponse response) {
                asExpected = response.decoderResult().isSuccess()
                        && response.status().code() == 200;
                if (!asExpected) {
                    fault(response.toString());
                }
            }
            if (part instanceof HttpContent content) {
                compare(content.content());
            }
            if (part instanceof LastHttpContent) {
                if (asExpected && received == body.length) {
                    good.incrementAndGet();
                }
                next(ctx);
            }
        }

        private void compare(ByteBuf piece) {
            while (piece.isReadable()) {
                asExpected &= received < body.length && piece.readByte() == body[received];
                received++;
                if (!asExpected) {
                    fault("another body than expected at octet " + received);
                    return;
                }
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            if (awaiting) {
                fault("closed while an answer was due");
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            fault(cause);
            ctx.close();
        }
    }
}
