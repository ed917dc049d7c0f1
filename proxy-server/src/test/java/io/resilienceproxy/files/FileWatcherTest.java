package io.resilienceproxy.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of a change where something else goes wrong; what counts as one is with the policy's files. */
class FileWatcherTest {

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final List<String> told = new ArrayList<>();

    private record Text(String text) implements Snapshot<Text> {
        @Override
        public boolean isSameAs(Text other) {
            return text.equals(other.text);
        }

        @Override
        public boolean isSwappedFor(Text other) {
            return true;
        }
    }

    @AfterEach
    void end() {
        scheduler.shutdownNow();
    }

    private boolean breakOnce(Text now) {
        told.add(now.text);
        if (told.size() == 1) {
            throw new IllegalStateException("a bug");
        }
        return true;
    }

    /** It is not in use, and nobody has said that it cannot be used. */
    @Test
    void aChangeThatItsListenerDidNotSurviveIsToldAgain() {
        FileWatcher<Text> watcher =
                new FileWatcher<>("test", new Text("one"), () -> new Text("two"), scheduler, this::breakOnce);
        watcher.look();
        assertThatThrownBy(watcher::look).hasMessage("a bug");

        for (int i = 0; i < FileWatcher.LOOKS_BEFORE_RETRY; i++) {
            watcher.look();
        }

        assertThat(told).containsExactly("two", "two");
    }

    /** Such as a text that is nested too deeply for a parser. */
    @Test
    void anErrorIsNotTheEndOfLooking() {
        AtomicInteger looks = new AtomicInteger();
        FileWatcher<Text> watcher = new FileWatcher<>(
                "test",
                new Text("one"),
                () -> {
                    if (looks.incrementAndGet() == 1) {
                        throw new StackOverflowError();
                    }
                    return new Text("one");
                },
                scheduler,
                now -> true);
        watcher.start();

        await().until(() -> looks.get() > 1);
    }
}
