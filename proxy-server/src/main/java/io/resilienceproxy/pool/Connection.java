package io.resilienceproxy.pool;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.resilienceproxy.http.RequestHead;
import io.resilienceproxy.http.RequestRewrite;
import org.jspecify.annotations.Nullable;

/**
 * A leased connection: good for one request and its response. Ends with exactly one of {@link #release()} and
 * {@link #abort()}, unless the lessee has been told {@link ResponseHandler#onFailure}: then it is over already.
 *
 * <p>Used on its event loop only.
 */
public interface Connection {

    /** Whether it has been idle before this lease: the other side may have closed it in the meantime. */
    boolean isReused();

    /** Where it leads. */
    Endpoint endpoint();

    /** Who is told what arrives; a later call hands the rest of the response to someone else. */
    void handler(ResponseHandler handler);

    /**
     * Starts a request; nothing is on the wire before {@link #flush()}.
     *
     * @param prefixLength how many characters of the target are not forwarded
     * @param remainingMillis for the deadline field
     * @param attempt its number, from 1
     */
    void sendHead(RequestHead head, int prefixLength, RequestRewrite rewrite, long remainingMillis, int attempt);

    /** The next piece of the body; its ownership passes. */
    void sendBody(ByteBuf piece);

    /** The request is complete. */
    void sendEnd(@Nullable HttpHeaders trailers);

    void flush();

    /**
     * False only where no byte of the request can have left: the socket refused the very first write. Meaningful after the
     * first {@link #flush()}.
     */
    boolean mayHaveSent();

    /** False: stop sending until {@link ResponseHandler#onWritabilityChanged()}. */
    boolean isWritable();

    /** Back-pressure: with false nothing more is read from the upstream, and its socket fills up. */
    void reading(boolean on);

    /**
     * The response has ended: the connection is pooled if it can carry another request, else closed. One that has left HTTP
     * is closed when all that was sent is out.
     */
    void release();

    /** Closes it at once; the handler is told nothing more. */
    void abort();
}
