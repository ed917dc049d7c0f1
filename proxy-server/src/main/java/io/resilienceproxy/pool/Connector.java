package io.resilienceproxy.pool;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.dns.DnsAddressResolverGroup;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.resilienceproxy.loop.Transport;
import io.resilienceproxy.outcome.FailureKind;
import io.resilienceproxy.policy.UpstreamUrl;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * Opens connections. Names are resolved on the event loop without blocking it. Whoever asks bounds the time: it closes
 * the channel; the bound here is a backstop.
 *
 * <p>Thread-safe; closed by its owner after the event loops have stopped connecting.
 */
public final class Connector implements AutoCloseable {

    /** No {@code timeouts.connect} is longer than 10 s. */
    private static final int BACKSTOP_MILLIS = 11_000;

    private final AddressResolverGroup<InetSocketAddress> resolver;
    private final Bootstrap template;

    public Connector(Transport transport) {
        this.resolver = new DnsAddressResolverGroup(
                new DnsNameResolverBuilder().datagramChannelType(transport.datagramChannel()));
        this.template = new Bootstrap()
                .channel(transport.socketChannel())
                .resolver(resolver)
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
                });
    }

    ChannelFuture connect(EventLoop loop, UpstreamUrl url) {
        return template.clone(loop).connect(InetSocketAddress.createUnresolved(url.host(), url.port()));
    }

    static FailureKind failureKind(Throwable cause) {
        if (cause instanceof UnknownHostException) {
            return FailureKind.DNS_ERROR;
        }
        return cause instanceof ConnectTimeoutException ? FailureKind.CONNECT_TIMEOUT : FailureKind.CONNECTION_REFUSED;
    }

    @Override
    public void close() {
        resolver.close();
    }
}
