package io.resilienceproxy.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LeakGuardTest {

    @Test
    void findsABufferThatWasDroppedWithoutItsRelease() {
        drop("secretly dropped");

        assertThat(LeakGuard.collect()).anySatisfy(leak -> assertThat(leak).contains("LeakGuardTest.java"));
    }

    @Test
    void findsNothingWhereEveryBufferWasReleased() {
        ByteBufAllocator.DEFAULT.buffer().release();

        assertThat(LeakGuard.collect()).isEmpty();
    }

    private static void drop(String text) {
        ByteBufAllocator.DEFAULT.buffer().writeCharSequence(text, StandardCharsets.US_ASCII);
    }
}
