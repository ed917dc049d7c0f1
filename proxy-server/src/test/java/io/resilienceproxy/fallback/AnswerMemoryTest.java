package io.resilienceproxy.fallback;

import static org.assertj.core.api.Assertions.assertThat;

import io.resilienceproxy.http.BodyLength;
import io.resilienceproxy.http.RequestHead;
import io.resilienceproxy.http.ResponseHead;
import io.resilienceproxy.time.ManualClock;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the store says that it takes is what it takes. */
class AnswerMemoryTest {

    private static final int MAX_BYTES = 8 * 1024 * 1024;
    private static final int URLS = 1_000_000;

    private final AnswerStore store = new AnswerStore(MAX_BYTES, Duration.ofHours(1), new ManualClock(), null);
    private final AnswerKeys keys = new AnswerKeys(List.of());

    @Test
    void aMillionDistinctUrlsStayWithinTheBound() {
        ResponseHead head = Messages.response(200, 133, "Content-Type: application/json", "Date: x", "ETag: \"1\"");
        long before = usedHeap();
        long most = 0;
        for (int i = 0; i < URLS; i++) {
            put(Messages.get("/things/" + i + "?q=" + i, "Accept: */*"), head, 133);
            if (i % 10_000 == 0) {
                most = Math.max(most, store.bytes());
            }
        }

        assertThat(most).isLessThanOrEqualTo(MAX_BYTES);
        assertThat(store.entries()).isBetween(5_000L, (long) MAX_BYTES / 133);
        assertThat(usedHeap() - before).as("heap").isLessThan(MAX_BYTES);
        assertThat(store.evictions()).isGreaterThan(URLS - MAX_BYTES / 133);
    }

    @Test
    void largeAnswersStayWithinTheBound() {
        long before = usedHeap();
        for (int i = 0; i < 200; i++) {
            put(Messages.get("/" + i), Messages.response(200, BodyLength.CHUNKED), 300_000);
        }

        assertThat(store.bytes()).isLessThanOrEqualTo(MAX_BYTES);
        assertThat(usedHeap() - before).as("heap").isLessThan(MAX_BYTES);
    }

    private void put(RequestHead request, ResponseHead head, int bytes) {
        AnswerCapture capture = store.capture(keys, request, 0, head, store.now(), why -> {});
        assertThat(capture).isNotNull();
        capture.add(io.netty.buffer.Unpooled.wrappedBuffer(new byte[bytes]));
        capture.complete(null);
    }

    /** After collections: the least of several looks, because others leave garbage too. */
    private static long usedHeap() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }
}
