package io.resilienceproxy.tls;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.resilienceproxy.policy.TlsPolicy;
import io.resilienceproxy.policy.UpstreamUrl;
import java.io.IOException;

/**
 * TLS to one upstream: its context, made once and used for every connection, and what its certificates say.
 *
 * <p>Thread-safe. {@link #handshake} belongs on the channel's event loop.
 */
public final class UpstreamTls {

    /** No {@code timeouts.connect} is longer than 10 s; whoever waits bounds the time by closing the channel. */
    private static final int BACKSTOP_MILLIS = 11_000;

    /** For an upstream that reads no more: our close_notify is not worth a place in the pool for longer. */
    private static final int CLOSE_NOTIFY_MILLIS = 1_000;

    private final String host;
    private final int port;
    private final CertificateDates dates = new CertificateDates();
    private volatile SslContext context;

    private UpstreamTls(UpstreamUrl url, TlsPolicy policy, TlsContexts contexts) throws IOException {
        this.host = policy.serverName().orElse(url.host());
        this.port = url.port();
        this.context = contexts.create(host, policy, dates);
    }

    /**
     * Reads the files that the policy names, blocking.
     *
     * @throws IOException naming the file that cannot be used
     */
    static UpstreamTls create(UpstreamUrl url, TlsPolicy policy, TlsContexts contexts) throws IOException {
        return new UpstreamTls(url, policy, contexts);
    }

    /** What the certificates in use say about their time. */
    public CertificateDates dates() {
        return dates;
    }

    /**
     * Puts TLS in front of what is in the pipeline of a channel that has just been connected, and begins.
     *
     * @return done when the connection can carry a request; its failure is a {@link TlsFailure}, and the channel is closed
     */
    public Future<Channel> handshake(Channel channel) {
        SslHandler handler = context.newHandler(channel.alloc(), host, port);
        handler.setHandshakeTimeoutMillis(BACKSTOP_MILLIS);
        handler.setCloseNotifyFlushTimeoutMillis(CLOSE_NOTIFY_MILLIS);
        TlsEnd end = new TlsEnd();
        Promise<Channel> usable = channel.eventLoop().newPromise();
        handler.handshakeFuture().addListener(done -> {
            if (done.isSuccess()) {
                end.established();
                usable.setSuccess(channel);
            } else {
                channel.close();
                usable.setFailure(TlsFailure.of(done.cause()));
            }
        });
        channel.pipeline().addFirst(end).addFirst(handler);
        return usable;
    }
}
