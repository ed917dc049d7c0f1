package io.resilienceproxy.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import io.resilienceproxy.http.ResponseHead;
import io.resilienceproxy.loop.LazyTimer;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The caller's side of an exchange: where its answer goes. Every method is called on the caller's event loop, by the
 * exchange that is its current one.
 *
 * <p>An exchange ends with exactly one of {@link #end}, {@link #answer} and {@link #abort}, unless the caller left.
 */
public interface Downstream {

    /** The event loop. */
    Executor eventLoop();

    /** The place of the event loop among those of the server, from 0. */
    int loopIndex();

    /** The one timer of the exchange; it runs {@link Exchange#onTimer()}. */
    LazyTimer timer();

    /** Whether the caller's bytes are being delivered right now: then {@link Exchange#onReadComplete()} follows. */
    boolean isDelivering();

    /** The value of Date now. */
    AsciiString date();

    void informational(ResponseHead head);

    /** @param proxyStatus a whole field line to add, or null */
    void head(ResponseHead head, @Nullable AsciiString proxyStatus);

    /**
     * The caller's connection leaves HTTP too: raw bytes both ways, until {@link #end}. What the caller sends, also what it
     * has sent ahead, goes to the tunnel.
     */
    void upgrade(ResponseHead head, Tunnel tunnel);

    /** How long a connection may be silent that has left HTTP. */
    long tunnelIdleNanos();

    /** Ownership passes. */
    void body(ByteBuf piece);

    /** The response is whole. */
    void end(@Nullable HttpHeaders trailers);

    /** An answer of the proxy's own, whole; nothing of a response has been sent. */
    void answer(LocalAnswer answer);

    /** Closes the connection so that what has been sent can never pass for a whole response. */
    void abort();

    void flush();

    boolean isWritable();

    /** Back-pressure: with false nothing more of the request is read. */
    void reading(boolean on);
}
