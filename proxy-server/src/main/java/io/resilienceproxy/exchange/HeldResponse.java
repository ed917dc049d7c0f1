package io.resilienceproxy.exchange;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import io.resilienceproxy.http.ResponseHead;
import io.resilienceproxy.outcome.FailureKind;
import io.resilienceproxy.pool.Connection;
import io.resilienceproxy.pool.ResponseHandler;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A response that is to be retried, kept in case that no other attempt can be made: then the caller gets this one after
 * all, not a substitute. What is longer than {@value #MAX_BYTES} bytes is not kept.
 *
 * <p>Takes the connection over: drains it, so that it can be used again, or closes it. Owns the pieces; ends with
 * {@link #relay} or {@link #close()}.
 */
final class HeldResponse implements ResponseHandler {

    static final int MAX_BYTES = 16 * 1024;

    private final ResponseHead head;
    private final Queue<ByteBuf> pieces = new ArrayDeque<>(2);
    private int bytes;
    private @Nullable Connection connection;
    private @Nullable HttpHeaders trailers;
    private boolean whole;

    HeldResponse(ResponseHead head, Connection connection) {
        this.head = head;
        this.connection = connection;
        connection.handler(this);
        if (head.bodyLength() > MAX_BYTES) {
            letGo();
        }
    }

    int status() {
        return head.status();
    }

    /** All of it is here. */
    boolean isWhole() {
        return whole;
    }

    void relay(Downstream to, @Nullable AsciiString proxyStatus) {
        to.head(head, proxyStatus);
        ByteBuf piece;
        while ((piece = pieces.poll()) != null) {
            to.body(piece);
        }
        to.end(trailers);
    }

    /** Not needed any more, or no longer to be waited for. */
    void close() {
        letGo();
        whole = false;
        ByteBuf piece;
        while ((piece = pieces.poll()) != null) {
            piece.release();
        }
    }

    /** Before the next attempt: what is not whole by now will not be waited for. */
    void finish() {
        if (!whole) {
            close();
        }
    }

    private void letGo() {
        if (connection != null) {
            connection.abort();
            connection = null;
        }
    }

    @Override
    public void onInformational(ResponseHead informational) {
        throw new IllegalStateException("interim response behind a final head");
    }

    @Override
    public void onHead(ResponseHead second) {
        throw new IllegalStateException("second final head");
    }

    @Override
    public void onUpgraded(ResponseHead upgraded) {
        throw new IllegalStateException("switched protocols behind a final head");
    }

    @Override
    public void onBody(ByteBuf piece) {
        bytes += piece.readableBytes();
        pieces.add(piece);
        if (bytes > MAX_BYTES) {
            close();
        }
    }

    @Override
    public void onEnd(@Nullable HttpHeaders trailing) {
        whole = true;
        trailers = trailing;
        if (connection != null) {
            connection.release();
            connection = null;
        }
    }

    @Override
    public void onReadComplete() {}

    @Override
    public void onFailure(FailureKind kind, boolean anythingReceived) {
        connection = null;
        close();
    }

    @Override
    public void onWritabilityChanged() {}
}
