package io.resilienceproxy.fallback;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.resilienceproxy.http.BodyLength;
import io.resilienceproxy.http.RequestHead;
import io.resilienceproxy.http.ResponseHead;
import io.resilienceproxy.outcome.NotKept;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A good answer that is being relayed, and kept when it proves whole. Each piece is copied once, and nothing waits for it.
 * One that turns out too long is given up. Ends with {@link #complete} or {@link #abandon}; a further call does nothing.
 *
 * <p>On the event loop of its exchange.
 */
public final class AnswerCapture {

    private static final int FIRST_BYTES = 2048;
    private static final byte[] NOTHING = {};

    private final AnswerStore store;
    private final String key;
    private final RequestHead request;
    private final ResponseHead head;
    private final Variation variation;
    private final long receivedNanos;
    private final long ageThenNanos;
    private final Consumer<NotKept> notKept;
    private byte[] bytes = NOTHING;
    private int length;
    private boolean over;

    AnswerCapture(
            AnswerStore store,
            String key,
            RequestHead request,
            ResponseHead head,
            Variation variation,
            long receivedNanos,
            long ageThenNanos,
            Consumer<NotKept> notKept) {
        this.store = store;
        this.key = key;
        this.request = request;
        this.head = head;
        this.variation = variation;
        this.receivedNanos = receivedNanos;
        this.ageThenNanos = ageThenNanos;
        this.notKept = notKept;
        if (BodyLength.isKnown(head.bodyLength())) {
            grow(head.bodyLength());
        }
    }

    /** The next piece of the body; its ownership stays with the caller, and it is not changed. */
    public void add(ByteBuf piece) {
        int more = piece.readableBytes();
        long needed = (long) length + more;
        if (!over && needed > bytes.length) {
            grow(Math.max(needed, Math.max(FIRST_BYTES, 2L * bytes.length)), needed);
        }
        if (!over) {
            piece.getBytes(piece.readerIndex(), bytes, length, more);
            length += more;
        }
    }

    private void grow(long size) {
        grow(size, size);
    }

    /** To {@code size} if there is room for it, else to the least that is needed, else not at all. */
    private void grow(long size, long least) {
        long wanted = Math.min(size, store.maxBodyBytes());
        if (least > wanted) {
            giveUp(NotKept.TOO_LONG);
            return;
        }
        if (!store.tryReserve((int) wanted - bytes.length)) {
            giveUp(NotKept.NO_ROOM);
            return;
        }
        bytes = bytes.length == 0 ? new byte[(int) wanted] : Arrays.copyOf(bytes, (int) wanted);
    }

    /** The answer was whole: it replaces the one before. */
    public void complete(@Nullable HttpHeaders trailers) {
        if (over) {
            return;
        }
        byte[] body = length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
        giveBack();
        if (trailers != null && !trailers.isEmpty()) {
            notKept.accept(NotKept.TRAILERS);
            return;
        }
        StoredAnswer answer = new StoredAnswer(head, body, request.isHead(), variation, receivedNanos, ageThenNanos);
        store.put(key, request.fields(), answer);
    }

    /** It broke off, or is not wanted. */
    public void abandon() {
        if (!over) {
            giveUp(NotKept.CUT_SHORT);
        }
    }

    private void giveUp(NotKept why) {
        giveBack();
        notKept.accept(why);
    }

    private void giveBack() {
        over = true;
        store.giveBack(bytes.length);
        bytes = NOTHING;
    }
}
