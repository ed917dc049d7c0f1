package io.resilienceproxy.pool;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.resilienceproxy.loop.Transport;
import io.resilienceproxy.outcome.FailureKind;
import java.net.InetSocketAddress;

/**
 * Opens connections. Whoever asks bounds the time: it closes the channel; the bound here is a backstop.
 *
 * <p>Thread-safe.
 */
public final class Connector {

    /** No {@code timeouts.connect} is longer than 10 s. */
    private static final int BACKSTOP_MILLIS = 11_000;

    private final Bootstrap template;

    public Connector(Transport transport) {
        this(new Bootstrap()
                .channel(transport.socketChannel())
                .disableResolver()
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                // An upstream that refuses a long request closes while we still write: its answer is there to be read.
                .option(ChannelOption.AUTO_CLOSE, false)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, BACKSTOP_MILLIS)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        Http1Connection.prepare(channel.pipeline());
                    }
                }));
    }

    /** @param template whose handler prepares what it connects for HTTP/1.1 */
    Connector(Bootstrap template) {
        this.template = template;
    }

    ChannelFuture connect(EventLoop loop, InetSocketAddress address) {
        return template.clone(loop).connect(address);
    }

    static FailureKind failureKind(Throwable cause) {
        return cause instanceof ConnectTimeoutException ? FailureKind.CONNECT_TIMEOUT : FailureKind.CONNECTION_REFUSED;
    }
}
