package io.resilienceproxy.tls;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.resilienceproxy.files.FileWatcher;
import io.resilienceproxy.outcome.FailureKind;
import io.resilienceproxy.pem.PemFiles;
import io.resilienceproxy.policy.TlsPolicy;
import io.resilienceproxy.policy.UpstreamUrl;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS to one upstream: its context, made once for what its files hold and used for every connection, and what its
 * certificates say.
 *
 * <p>Thread-safe. {@link #handshake} belongs on the channel's event loop.
 */
public final class UpstreamTls implements AutoCloseable {

    /** No {@code timeouts.connect} is longer than 10 s; whoever waits bounds the time by closing the channel. */
    private static final int BACKSTOP_MILLIS = 11_000;

    /** For an upstream that reads no more: our close_notify is not worth a place in the pool for longer. */
    private static final int CLOSE_NOTIFY_MILLIS = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(UpstreamTls.class);

    private final String upstream;
    private final String host;
    private final int port;
    private final TlsPolicy policy;
    private final TlsContexts contexts;
    private final PemFiles files;
    private final CertificateDates dates = new CertificateDates();
    private volatile SslContext context;
    private volatile @Nullable FileWatcher<PemFiles> watcher;

    /** Of the last failure, until a handshake succeeds. */
    private volatile @Nullable FailureKind told;

    /**
     * Reads the files that the policy names, blocking.
     *
     * @throws IOException naming the file that cannot be used
     */
    UpstreamTls(String upstream, UpstreamUrl url, TlsPolicy policy, TlsContexts contexts) throws IOException {
        this.upstream = upstream;
        this.host = policy.serverName().orElse(url.host());
        this.port = url.port();
        this.policy = policy;
        this.contexts = contexts;
        this.files = PemFiles.read(paths(policy));
        this.context = contexts.create(host, policy, files, dates);
    }

    private static List<Path> paths(TlsPolicy policy) {
        Stream<Path> own = policy.clientCertificate().stream()
                .flatMap(certificate -> Stream.of(certificate.certFile(), certificate.keyFile()));
        return Stream.concat(policy.caFile().stream(), own).distinct().toList();
    }

    /** What it was made from. */
    public TlsPolicy policy() {
        return policy;
    }

    public TlsProvider provider() {
        return contexts.provider();
    }

    /** What the certificates in use say about their time. */
    public CertificateDates dates() {
        return dates;
    }

    /**
     * Follows the files from now on, until it is closed; once. New connections use what is in them, those that are open go
     * on. What cannot be used changes nothing.
     *
     * @param scheduler with one thread, which may block
     */
    void watch(ScheduledExecutorService scheduler, CertificateListener listener) {
        List<Path> paths = paths(policy);
        if (!paths.isEmpty()) {
            FileWatcher<PemFiles> following = new FileWatcher<>(
                    "certificates of " + upstream,
                    files,
                    () -> PemFiles.read(paths),
                    scheduler,
                    now -> renew(now, listener));
            watcher = following;
            following.start();
        }
    }

    /** A half-written pair is refused like any other fault: its other half is the next change. */
    private boolean renew(PemFiles now, CertificateListener listener) {
        try {
            context = contexts.create(host, policy, now, dates);
        } catch (IOException e) {
            listener.onRefused(upstream, String.valueOf(e.getMessage()));
            return true;
        }
        listener.onRenewed(upstream);
        return true;
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
                told = null;
                end.established();
                usable.setSuccess(channel);
            } else {
                channel.close();
                TlsFailure failure = TlsFailure.of(done.cause());
                if (done.cause() instanceof SSLException) {
                    tell(failure);
                }
                usable.setFailure(failure);
            }
        });
        channel.pipeline().addFirst(end).addFirst(handler);
        return usable;
    }

    /** One line for all failures of a kind in a row: an outage has thousands, and what exactly was wrong stands here only. */
    private void tell(TlsFailure failure) {
        if (failure.kind() != told) {
            told = failure.kind();
            LOG.warn(
                    "handshake failed system={} reason={}: {}",
                    upstream,
                    failure.kind().token(),
                    failure.plainMessage());
        }
    }

    /** The files are followed no more. Connections may still be opened. */
    @Override
    public void close() {
        FileWatcher<PemFiles> present = watcher;
        if (present != null) {
            present.close();
        }
    }

    /** Whether the policy names a certificate of our own, whose dates are therefore known. */
    public boolean hasOwnCertificate() {
        return policy.clientCertificate().isPresent();
    }
}
