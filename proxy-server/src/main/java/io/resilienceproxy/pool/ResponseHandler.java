package io.resilienceproxy.pool;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.resilienceproxy.http.ResponseHead;
import io.resilienceproxy.outcome.FailureKind;
import io.resilienceproxy.outcome.TlsAlert;
import org.jspecify.annotations.Nullable;

/** What arrives on a leased connection, on its event loop, in the order of the wire. */
public interface ResponseHandler {

    /** 100, 102 to 199; any number of them before the head. */
    void onInformational(ResponseHead head);

    /** The final head, 200 to 599; once. */
    void onHead(ResponseHead head);

    /**
     * The answer to a request that asked for it: the connection has left HTTP. What follows are raw bytes in
     * {@link #onBody}; {@link #onEnd} means that the upstream has closed it. The connection can still be sent to.
     */
    void onUpgraded(ResponseHead head);

    /** The next piece of the body; its ownership passes. */
    void onBody(ByteBuf piece);

    /** The response is whole. The lessee releases or aborts the connection now. */
    void onEnd(@Nullable HttpHeaders trailers);

    /** All that one read brought has been delivered: a good moment to flush. */
    void onReadComplete();

    /**
     * The upstream ended TLS with an alert, in its own words; {@link #onFailure} comes next. A server of TLS 1.3 judges our
     * certificate behind the handshake, when the request may be on its way already.
     */
    default void onTlsAlert(TlsAlert alert) {}

    /**
     * The connection broke, or what arrives is not HTTP; it is closed and must not be touched again. Nothing follows.
     *
     * @param kind {@link FailureKind#RESET}, {@link FailureKind#MALFORMED_RESPONSE}, {@link FailureKind#TLS_ALERT} or
     *     {@link FailureKind#TLS_PROTOCOL} before the head,
     *     {@link FailureKind#TRUNCATED_RESPONSE} behind it
     * @param anythingReceived whether any byte of a response had arrived
     */
    void onFailure(FailureKind kind, boolean anythingReceived);

    void onWritabilityChanged();
}
