package io.resilienceproxy.fallback;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.resilienceproxy.http.RequestHead;
import io.resilienceproxy.http.ResponseHead;
import io.resilienceproxy.outcome.NotKept;
import io.resilienceproxy.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The last good answers of one upstream, within a number of bytes. Of this an eighth is for answers that are just being
 * received, so that these are within the bound too; no body is longer than that eighth, nor than
 * {@value #MOST_BODY_BYTES} bytes. What is asked for least makes room (Caffeine's W-TinyLFU).
 *
 * <p>On the heap, not in direct memory: an answer may be given while it is evicted, from any loop, and the collector
 * settles that without a count on every look-up; small answers, which are the most, cost more in objects than in bytes
 * wherever the bytes are.
 *
 * <p>Thread-safe. Caffeine does its upkeep in small steps on the thread that has just written, and waits for no other.
 */
public final class AnswerStore {

    static final int MOST_BODY_BYTES = 1024 * 1024;

    private static final int CAPTURE_SHARE = 8;
    private static final int MOST_AGE_DIGITS = 9;

    /** Whole answers to reads; a part (206) is not, and what a redirect or an error says is no good answer. */
    private static final Set<Integer> STATUSES = Set.of(200, 203, 204);

    private final Clock clock;
    private final Cache<String, Variants> cache;
    private final AtomicLong evictions;
    private final AtomicInteger reserved = new AtomicInteger();
    private volatile int captureBytes;

    /**
     * An empty store.
     *
     * @param maxBytes at least 64 KiB
     * @param longest nothing older than this is kept
     * @param before null, or the store that this one replaces, whose evictions count on
     */
    public AnswerStore(int maxBytes, Duration longest, Clock clock, @Nullable AnswerStore before) {
        this.clock = clock;
        this.evictions = before == null ? new AtomicLong() : before.evictions;
        this.captureBytes = maxBytes / CAPTURE_SHARE;
        this.cache = Caffeine.newBuilder()
                .maximumWeight(maxBytes - captureBytes)
                .weigher((String key, Variants variants) -> variants.bytes())
                .expireAfterWrite(longest)
                .ticker(clock::nanoTime)
                .executor(Runnable::run)
                .evictionListener((String key, Variants variants, RemovalCause cause) -> evictions.incrementAndGet())
                .build();
    }

    /** Other bounds from now on; what is too much goes at once. The arguments are those of the constructor. */
    public void change(int maxBytes, Duration longest) {
        captureBytes = maxBytes / CAPTURE_SHARE;
        cache.policy().eviction().orElseThrow().setMaximum(maxBytes - captureBytes);
        cache.policy().expireAfterWrite().orElseThrow().setExpiresAfter(longest);
    }

    /**
     * The newest answer that may be given to a request.
     *
     * @param prefixLength how many characters of its target are not forwarded
     * @param maxAgeNanos it must not be older
     * @return null: there is none
     */
    public @Nullable StoredAnswer find(AnswerKeys keys, RequestHead request, int prefixLength, long maxAgeNanos) {
        StoredAnswer answer = find(keys.of(request, prefixLength), request, maxAgeNanos);
        return answer == null && request.isHead()
                ? find(keys.ofGet(request, prefixLength), request, maxAgeNanos)
                : answer;
    }

    private @Nullable StoredAnswer find(@Nullable String key, RequestHead request, long maxAgeNanos) {
        Variants variants = key == null ? null : cache.getIfPresent(key);
        StoredAnswer answer = variants == null ? null : variants.find(request.fields());
        return answer == null || answer.ageNanos(now()) > maxAgeNanos ? null : answer;
    }

    /**
     * Begins to keep the answer to a request, if it may be kept (RFC 9111 section 3).
     *
     * @param prefixLength how many characters of its target are not forwarded
     * @param head a final one, as the caller gets it
     * @param requestedNanos when the request was sent
     * @param notKept told once where it is not kept, here or by the capture
     * @return null: it is not kept. Else the pieces go there, and the end
     */
    public @Nullable AnswerCapture capture(
            AnswerKeys keys,
            RequestHead request,
            int prefixLength,
            ResponseHead head,
            long requestedNanos,
            Consumer<NotKept> notKept) {
        NotKept why = whyNot(keys, request, head);
        String key = why == null ? keys.of(request, prefixLength) : null;
        Variation variation = why == null ? Variation.of(head.fields(), request.fields()) : null;
        if (key == null || variation == null) {
            notKept.accept(why == null ? NotKept.VARY : why);
            return null;
        }
        if (variation.endsAtThisHop(request)) {
            notKept.accept(NotKept.HOP_BY_HOP);
            return null;
        }
        long now = now();
        long age = ageNanos(head.fields()) + (now - requestedNanos);
        return new AnswerCapture(this, key, request, head, variation, now, age, notKept);
    }

    /**
     * A cookie that is set is for one user, and what comes with it may be; an answer that is marked as degraded is none that
     * could be given as the last good one.
     */
    private @Nullable NotKept whyNot(AnswerKeys keys, RequestHead request, ResponseHead head) {
        HttpHeaders response = head.fields();
        if (!STATUSES.contains(head.status())) {
            return NotKept.STATUS;
        }
        if (CacheControl.isNoStore(request.fields())) {
            return NotKept.REQUEST;
        }
        if (response.contains(HttpHeaderNames.SET_COOKIE)) {
            return NotKept.SET_COOKIE;
        }
        if (response.contains("x-degraded")) {
            return NotKept.DEGRADED;
        }
        if (CacheControl.forbidsKeeping(response)) {
            return NotKept.CACHE_CONTROL;
        }
        return head.bodyLength() > maxBodyBytes() ? NotKept.TOO_LONG : keys.whyNone(request);
    }

    /** What the upstream says of the age of its answer; 0 where it says nothing, or nothing that can be read. */
    private static long ageNanos(HttpHeaders fields) {
        String age = fields.get(HttpHeaderNames.AGE);
        boolean digits = age != null
                && !age.isEmpty()
                && age.length() <= MOST_AGE_DIGITS
                && age.chars().allMatch(c -> c >= '0' && c <= '9');
        return digits ? TimeUnit.SECONDS.toNanos(Long.parseLong(age)) : 0;
    }

    /** In the nanoseconds of its clock. */
    long now() {
        return clock.nanoTime();
    }

    int maxBodyBytes() {
        return Math.min(captureBytes, MOST_BODY_BYTES);
    }

    /** Room for an answer that is being received. */
    boolean tryReserve(int bytes) {
        int before;
        do {
            before = reserved.get();
            if (bytes > captureBytes - before) {
                return false;
            }
        } while (!reserved.compareAndSet(before, before + bytes));
        return true;
    }

    void giveBack(int bytes) {
        reserved.addAndGet(-bytes);
    }

    void put(String key, HttpHeaders request, StoredAnswer answer) {
        cache.asMap()
                .compute(
                        key,
                        (same, variants) -> (variants == null ? Variants.NONE : variants).with(answer, request, same));
    }

    /** Bytes in use: of what is kept, and of what is being received. */
    public long bytes() {
        return cache.policy().eviction().orElseThrow().weightedSize().orElse(0) + receivingBytes();
    }

    /** Bytes that answers hold which are just being received; each gives them back at its end. */
    public int receivingBytes() {
        return reserved.get();
    }

    /** Keys under which answers are kept; about, while others write. */
    public long entries() {
        return cache.estimatedSize();
    }

    /** Keys that made room for others or became too old, since the start of the process. */
    public long evictions() {
        return evictions.get();
    }
}
